"""Films in virtual time: the page's own player over flows of `cc.simulation`."""
