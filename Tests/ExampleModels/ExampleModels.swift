// The build plug-in makes the models of `schema.graphql`, the schema of the article "Model your data".
