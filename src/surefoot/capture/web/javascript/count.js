// How large the document is, whatever its own functions and names would say.
Document.prototype.getElementsByTagName.call(document, "*").length;
