/// How much a query may hold.
public enum QueryLimits {
  /// Bytes of the whole text.
  public static let length = 4096
  /// Conditions.
  public static let conditions = 64
  /// Alternatives of one condition.
  public static let alternatives = 64
  /// Wildcards in one value.
  public static let wildcards = 16
  /// Bytes of a name or a message of a report that can be searched; what follows cannot.
  public static let valueLength = 2048
  /// Different functions, files and images of one report that can be searched, those of the youngest
  /// frames of the crashed thread first.
  public static let names = 2000
}
