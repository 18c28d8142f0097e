import Bytes
import CrashInput
import TestSupport
import Testing

@Suite("Folders of crash handlers")
struct CrashFolderTests {
  private let folder = ScratchFolder()

  /// The owner of each file under the folder, by relative paths.
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

  /// The files found and their text, by paths relative to the folder.
  private func texts() -> [String: String] {
    var texts: [String: String] = [:]
    InputWalker().walk([folder.path]) { file in
      let path = String(file.path.dropFirst(folder.path.count + 1))
      switch file.content {
      case .success(let bytes): texts[path] = bytes.text
      case .failure(let error): texts[path] = "\(error)"
      }
      return .next
    }
    return texts
  }

  static let problem = [
    ("type", "CCpp"), ("time", "1665082632"), ("reason", "tern killed by SIGSEGV\n"),
    ("environ", "TOKEN=secret"), ("cmdline", "tern --secret"), ("var_log_messages", "secret"),
    ("backtrace", "#0  0x10 in main () at till.cpp:8\n#1  0x20 in start ()\n"),
    ("coredump", "secret"),
  ]

  static let text = """
    ABRT-Problem: 1
    type: CCpp
    reason: tern killed by SIGSEGV
    time: 1665082632
    backtrace:
     #0  0x10 in main () at till.cpp:8
     #1  0x20 in start ()
     \n
    """

  @Test("The folder of a problem of ABRT is one report without secrets")
  func problem() {
    for (name, content) in Self.problem {
      folder.write("ccpp-1/\(name)", Array(content.utf8))
    }
    folder.write("other/time", Array("noon".utf8))
    folder.write("other/type", Array("text".utf8))
    #expect(texts() == ["ccpp-1": Self.text, "other/time": "noon", "other/type": "text"])
  }
}
