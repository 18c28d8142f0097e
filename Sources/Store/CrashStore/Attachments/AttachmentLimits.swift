/// Limits for the attachments of a report. Anything beyond is refused, and the report stays.
public enum AttachmentLimits {
  /// Maximum size of one attachment in bytes.
  public static let bytes = 64 << 20
  /// Maximum number of attachments of a report.
  public static let count = 32
  /// Maximum size of all attachments of a report in bytes.
  public static let totalBytes = 256 << 20
  /// Maximum length of a name in bytes; only the end of a longer one is kept.
  public static let nameBytes = 255
}
