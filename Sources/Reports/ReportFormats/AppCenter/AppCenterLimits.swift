internal import JSON

/// Limits for App Center's logs; reaching one adds a note to the report, or is counted.
enum AppCenterLimits {
  /// For one container: a request, or a file.
  static let json = JSONLimits(depth: 128, bytes: 64 << 20, nodes: 2_000_000, stringBytes: 16 << 20)
  /// Logs of one container.
  static let logs = 10_000
  /// Exceptions of one report, causes included.
  static let exceptions = 64
  /// Nested causes.
  static let causes = 32
  /// Frames of all stacks of a report in total.
  static let frames = 250_000
  static let threads = 4_096
  static let images = 16_384
  static let registers = 256
  /// Properties of one log; the SDKs send 20.
  static let properties = 64
  /// Bytes of a property's name or value, and of other short text; the SDKs send 125 characters.
  static let textBytes = 1024
  /// Raw bytes of an attachment: 7 MB, as the SDKs check before they send.
  static let attachmentBytes = 7 << 20
}
