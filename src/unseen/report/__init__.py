"""RECORDS and NUMBERS -> what people look at: galleries, catalogues, measured speed."""
