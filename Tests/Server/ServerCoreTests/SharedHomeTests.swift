import CrashStore
import Glibc
import Identifiers
import JSON
import ServerStore
import TestSupport
import Testing

@testable import ProgramSupport

/// Several connections of one process, and another process that comes and goes.
@Suite("A shared home")
struct SharedHomeTests {
  private let folder = ScratchFolder()

  /// The last process to close a database deletes its log. Locks show that a process has it open, and they
  /// are lost when it closes any descriptor of the file.
  @Test("Closing in another process does not delete the log of this one")
  func locks() throws {
    let home = folder.path("home")
    let server = try ServerStore(opening: home)
    let store = try CrashStore(opening: home)
    _ = try TokensTable(in: server).make(label: "a", scopes: [.read], now: .init(seconds: 1))
    try store.apps.add("Tern", secret: nil)
    let others = (try ServerStore(opening: home), try CrashStore(opening: home))
    #expect(Run(["tokens", "list", "--home", home]).status == 0)
    #expect(Run(["apps", "list", "--home", home]).status == 0)
    for log in ["server.db-wal", "mayday.db-wal"] {
      #expect(access(home + "/" + log, F_OK) == 0, "\(log)")
    }
    _ = try TokensTable(in: server).make(label: "b", scopes: [.read], now: .init(seconds: 2))
    #expect(Run(["tokens", "list", "--json", "--home", home]).json.array?.count == 2)
    withExtendedLifetime(others) {}
  }
}
