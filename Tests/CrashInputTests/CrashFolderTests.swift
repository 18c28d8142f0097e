import CrashInput
import TestSupport
import Testing

@Suite("Folders of crash handlers")
struct CrashFolderTests {
  private let folder = ScratchFolder()

  /// What each file below the folder belongs to, by paths below it.
  private func owners() -> [String: String] {
    var owners: [String: String] = [:]
    InputWalker().walk([folder.path]) { file in
      let path = String(file.path.dropFirst(folder.path.count + 1))
      owners[path] =
        file.companion.map { $0.owner.dropFirst(folder.path.count + 1) + "/" + $0.name } ?? "-"
      return .next
    }
    return owners
  }

  @Test("Attachments in a Crashpad database belong to the dump of their id")
  func crashpad() {
    for name in [
      "db/settings.dat", "db/pending/aa.dmp", "db/pending/aa.meta", "db/completed/bb.dmp",
      "db/attachments/aa/log.txt", "db/attachments/aa/deep/view.json", "db/attachments/bb/log.txt",
      "db/attachments/cc/log.txt",
    ] {
      folder.write(name, [1])
    }
    let owners = owners()
    #expect(owners["db/attachments/aa/log.txt"] == "db/pending/aa.dmp/log.txt")
    #expect(owners["db/attachments/aa/deep/view.json"] == "db/pending/aa.dmp/deep/view.json")
    #expect(owners["db/attachments/bb/log.txt"] == "db/completed/bb.dmp/log.txt")
    #expect(owners["db/attachments/cc/log.txt"] == "-")
    #expect(owners["db/settings.dat"] == "-" && owners["db/pending/aa.dmp"] == "-")
  }

  @Test("The log in a folder of Unity's handler belongs to its dump")
  func unity() {
    for name in ["one/crash.dmp", "one/Player.log", "one/error.log", "two/Player.log"] {
      folder.write(name, [1])
    }
    let owners = owners()
    #expect(owners["one/Player.log"] == "one/crash.dmp/Player.log")
    #expect(owners["one/error.log"] == "one/crash.dmp/error.log")
    #expect(owners["two/Player.log"] == "-")
  }
}
