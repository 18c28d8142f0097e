/// How much may be attached to a report. What is more is refused, and the report stays.
public enum AttachmentLimits {
  /// The most bytes of one attachment.
  public static let bytes = 64 << 20
  /// The most attachments of a report.
  public static let count = 32
  /// The most bytes of all attachments of a report.
  public static let totalBytes = 256 << 20
  /// The most bytes of a name; of a longer one the end is kept.
  public static let nameBytes = 255
}
