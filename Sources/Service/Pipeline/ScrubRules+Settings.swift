public import CrashStore
public import Scrubbing

extension ScrubRules {
  /// The rules of a home.
  ///
  /// - Throws: `ScrubError`, and `FileError` when they cannot be read.
  public init(of settings: any HomeSettings) throws {
    try self.init(settings.scrubRules(limit: Self.sizeLimit), named: settings.scrubRulesName)
  }
}

extension Scrubber {
  /// The scrubber of a home.
  ///
  /// - Throws: `ScrubError`, and `FileError` when its rules cannot be read.
  public convenience init(of settings: any HomeSettings) throws {
    try self.init(ScrubRules(of: settings))
  }
}
