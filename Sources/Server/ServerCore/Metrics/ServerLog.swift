internal import CrashService
internal import Glibc
internal import JSON

/// Writes lines to standard error, each in one write, so that lines of several threads do not mix.
package enum ServerLog {
  /// Logs the error of the request with this id.
  package static func report(_ error: any Error, _ id: String) {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("error", "\(error)")
    writer.member("id", id)
    writer.endObject()
    writer.newLine()
    write(writer.takeBytes())
  }

  /// - Parameter line: With its end.
  package static func write(_ line: [UInt8]) {
    _ = line.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
