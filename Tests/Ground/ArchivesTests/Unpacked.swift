import Archives
import Bytes
import TestSupport

/// Members read from an archive.
struct Unpacked {
  var members: [String: String] = [:]
  var names: [String] = []
  var refused: [(path: String, reason: String)] = []
  var error: ArchiveError?

  init(_ bytes: [UInt8], named name: String = "a.zip", limits: ArchiveLimits = .standard) {
    UnpackProgram.path = BuiltProgram.mayday
    var found = Unpacked()
    do throws(ArchiveError) {
      try ArchiveReader(limits: limits).forEachMember(
        in: ByteView(bytes), named: name,
        refused: { found.refused.append(($0.displayPath, $0.error.reason)) }
      ) { member in
        found.names.append(member.displayPath)
        found.members[member.displayPath] = member.bytes.count < 1 << 20 ? member.bytes.text : ""
        return .next
      }
    } catch {
      found.error = error
    }
    self = found
  }

  private init() {}
}
