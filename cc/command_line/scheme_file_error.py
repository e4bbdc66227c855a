"""What a command says of a scheme's file that is at fault; here, so that it can be caught before cc is loaded."""


class SchemeFileError(ImportError):
    """A scheme's file cannot be loaded, or lacks its entry; the message names the line."""
