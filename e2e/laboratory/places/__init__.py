"""Where runs take place: a file each, and the children that emulated ones start."""
