// TableEngine
