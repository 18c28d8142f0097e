/// Limits on queries.
public enum QueryLimits {
  /// Bytes of the whole query.
  public static let length = 4096
  /// Conditions.
  public static let conditions = 64
  /// Alternatives of one condition.
  public static let alternatives = 64
  /// Wildcards in one value.
  public static let wildcards = 16
  /// Searchable bytes of a name or a message of a report; the rest cannot be searched.
  public static let valueLength = 2048
  /// Searchable functions, files and images of one report, distinct ones, starting with the youngest
  /// frames of the crashed thread.
  public static let names = 2000
}
