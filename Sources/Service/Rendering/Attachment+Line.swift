internal import CrashService
package import CrashModel

extension Attachment {
  /// `log.txt (text/plain, 3.4 kB)`
  package var line: String {
    "\(name.printable) (\(contentType), \(DebugFileList.size(size)))"
  }
}
