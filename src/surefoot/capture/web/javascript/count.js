// How large the document is, whatever its own functions would say.
document.getElementsByTagName("*").length;
