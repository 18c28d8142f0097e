public import Identifiers

/// A debug file with its uses.
public struct DebugFileUse: Hashable, Sendable {
  /// A record for each architecture in it.
  public var records: [DebugFileRecord]
  /// Number of reports that use it or wait for it.
  public var reports: Int
  /// When the newest of these reports arrived.
  public var lastNeeded: Timestamp?
  /// The releases of apps that it belongs to, as given by the user or found in reports, by app and number.
  public var builds: [MissingImage.Build]

  /// The SHA-256 of the file, in hexadecimal.
  public var digest: String { records.first?.digest ?? "" }
  public var name: String { records.first?.name ?? "" }
  /// In bytes.
  public var size: Int { records.first?.size ?? 0 }
  public var added: Timestamp { records.first?.added ?? Timestamp(seconds: 0) }
  /// When a report last needed it; when it was added where none did.
  public var lastUse: Timestamp { lastNeeded ?? added }
}
