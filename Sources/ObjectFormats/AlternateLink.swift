internal import Bytes
public import CrashModel

/// The file that holds what the debug information of several ELF files has in common.
///
///     OFFSET  SIZE  FIELD
///          0     n  path, with a NUL
///          n     m  build id of that file, to the end of the section
///
/// Source: dwz(1) and GDB manual, "Debugging Information in Separate Files", `.gnu_debugaltlink`.
public struct AlternateLink: Hashable, Sendable {
  public let path: String
  public let codeID: CodeID

  init(parsing view: ByteView) throws(ParseError) {
    var reader = ByteReader(view.bytes, reading: "alternate debug link")
    path = try reader.readCString().text
    guard reader.remaining > 0, reader.remaining <= ObjectLimits.buildIDBytes else {
      throw reader.error(.invalid("a build id of \(reader.remaining) bytes"))
    }
    codeID = CodeID(view.clamped(reader.position..<view.count).array)
  }
}
