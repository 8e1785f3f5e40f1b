"""
File formats of public datasets: JSON, parquet, TFRecord, pictures, box conventions.
"""
