internal import Bytes
internal import CrashStore
internal import Pipeline
package import Scrubbing

extension ScrubRules {
  /// The rules of a file, or those of the home if none is named.
  package init(file: String?, home: HomeOptions) throws {
    guard let file else {
      try self.init(of: SettingsFolder(of: home.existingFolder()))
      return
    }
    do {
      try self.init(parsing: ByteView(reading: file, limit: Self.sizeLimit))
    } catch let error as ScrubError {
      throw CommandFailure("\(file.printable):\(error.line): \(error.reason.printable)")
    }
  }
}
