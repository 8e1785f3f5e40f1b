// Stands for the schema compiler that @rjsf/core names in a helper for tests: it makes
// functions of strings, which the pages' policy forbids, and nothing here calls it.
export default undefined;
