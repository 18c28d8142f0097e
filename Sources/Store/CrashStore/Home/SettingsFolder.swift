public import Bytes
internal import Files
internal import Glibc

/// Settings as files in the folder of a home.
///
///     scrub.conf    the scrubbing rules
public struct SettingsFolder: HomeSettings {
  public let scrubRulesName: String

  /// The settings of a home, which need not be open.
  public init(of home: String) { scrubRulesName = home + "/scrub.conf" }

  public func scrubRules(limit: Int) throws -> ByteView? {
    do {
      return try ByteView(reading: scrubRulesName, limit: limit)
    } catch {
      guard error.code == ENOENT else { throw error }
      return nil
    }
  }

  public func setScrubRules(_ rules: ByteView, replacing: Bool) throws {
    try NewFile.write(rules, to: scrubRulesName, replacing: replacing)
  }
}
