internal import Bytes
package import CrashModel
internal import CrashService

extension Attachment {
  /// `log.txt (text/plain, 3.4 kB)`
  package var line: String {
    "\(name.printable) (\(contentType), \(DebugFileList.size(size)))"
  }
}
