/// The date and time types of models.
public enum Temporal {}
