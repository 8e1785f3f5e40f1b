"""
A vision-language model that fits in a minute: drawn screens, what is asked of them, training.

``studies/docs/tiny.md`` says what it learned and what not. Nothing here imports a browser, OCR
or a database, and what meets torch imports it when it is first used.
"""
