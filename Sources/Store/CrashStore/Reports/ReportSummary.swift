public import CrashModel
public import Identifiers

/// A report as a list shows it.
public struct ReportSummary: Hashable, Sendable {
  /// 32 hexadecimal digits.
  public var id: String
  /// `TERN-12`.
  public var group: String
  public var app: String
  public var format: ReportFormat
  public var kind: ReportKind
  /// Time of the crash. Default: the time of arrival, also for a time in the future.
  public var time: Timestamp
  public var received: Timestamp
  public var version: String?
  public var build: String?
  /// Name and version: `iOS 17.2`.
  public var os: String?
  /// The model.
  public var device: String?
  /// The reason in one line.
  public var reason: String?
  /// The text of the signature.
  public var signature: String
  public var symbols: SymbolCoverage
  /// The source of the submission.
  public var source: String

  public init(
    id: String, group: String, app: String, format: ReportFormat, kind: ReportKind, time: Timestamp,
    received: Timestamp, version: String? = nil, build: String? = nil, os: String? = nil,
    device: String? = nil,
    reason: String? = nil, signature: String, symbols: SymbolCoverage, source: String
  ) {
    self.id = id
    self.group = group
    self.app = app
    self.format = format
    self.kind = kind
    self.time = time
    self.received = received
    self.version = version
    self.build = build
    self.os = os
    self.device = device
    self.reason = reason
    self.signature = signature
    self.symbols = symbols
    self.source = source
  }
}
