public import Bytes
public import CrashModel

extension CrashReport {
  /// Reads the dump that came with a report of a native crash, as an attachment of it.
  public mutating func read(dump: ByteView) {
    guard MinidumpFile.recognises(dump) else { return refuseDump(because: "it is not a minidump") }
    do throws(ParseError) {
      take(dump: try MinidumpParser.report(of: dump))
    } catch {
      refuseDump(because: error.description)
    }
  }
}
