import Glibc
import Database
import TestSupport
import Testing

@testable import ProgramSupport

/// A missing or unusable home is an error that names it, never an empty result.
@Suite("Missing and unusable homes") struct MissingHomeTests {
  private let folder = ScratchFolder()

  /// Every command that reads or changes a home and may not create one.
  static let commands: [[String]] = [
    ["groups"], ["reports"], ["show", "TERN-1"], ["show", "0a0a"], ["explain", "0a0a"],
    ["stats"], ["stats", "--ledger"], ["stats", "--crash-free"], ["verify", "--all"],
    ["verify", "TERN-1"], ["gc"], ["gc", "--dry-run"], ["erase", "--user", "a"],
    ["remove", "0a0a"], ["backup", "no-backup"], ["export", "-o", "/dev/null/no"],
    ["apps", "list"], ["apps", "rename", "Tern", "Other"],
    ["apps", "set", "Tern", "--keep-days", "3"], ["releases", "list"],
    ["releases", "add", "Tern", "1.0"], ["tokens", "list"],
    ["tokens", "add", "t", "--scope", "read"], ["tokens", "revoke", "x"], ["intake", "list"],
    ["resolve", "TERN-1"], ["reopen", "TERN-1"], ["ignore", "TERN-1"], ["assign", "TERN-1", "ann"],
    ["note", "TERN-1", "x"], ["merge", "TERN-1", "TERN-2"], ["undo", "TERN-1"],
    ["symbols", "list"], ["symbols", "missing"], ["symbols", "retry"],
    ["symbols", "remove", "0a0a"], ["symbols", "gc", "--older-than", "3d"], ["symbols", "sharing"],
    ["scrub", "show"], ["mcp"], ["testers", "list", "--app", "Tern"],
    ["testers", "mails", "--app", "Tern"], ["testers", "resend", "a@b", "--app", "Tern"],
    ["accounts", "list"], ["accounts", "link", "ann"], ["accounts", "role", "ann", "viewer"],
    ["accounts", "remove", "ann"],
  ]

  @Test("A home and a server that are both set are said, and the command line decides")
  func clash() throws {
    let home = folder.path("clash")
    #expect(Run(["apps", "add", "Tern", "--home", home]).status == 0)
    let both = ["MAYDAY_SERVER": "http://127.0.0.1:1", "MAYDAY_HOME": home]
    let asked = Run(["groups"], environment: both)
    #expect(asked.status == 5, "it asks the server")
    #expect(asked.errors.contains("Asking http://127.0.0.1:1, not the home \(home): both are set."))
    let stored = Run(["ingest", Samples.path("apple-ips")], environment: both)
    #expect(stored.status == 2 && stored.errors.contains("are both set"), "\(stored.errors)")
    for command in [["groups", "--home", home], ["groups", "--home=\(home)"]] {
      let named = Run(command, environment: both)
      #expect(named.status == 0 && named.errors == "No groups.\n", "\(named.errors)")
    }
    let server = Run(["groups", "--server", "http://127.0.0.1:2"], environment: both)
    #expect(server.status == 5 && !server.errors.contains("both are set"))
    let two = Run(["groups", "--server", "http://127.0.0.1:1", "--home", home])
    #expect(two.status == 2 && two.errors.contains("two places"))
  }

  @Test("A missing home is reported by its path, and is not created", arguments: commands)
  func missing(words: [String]) throws {
    let home = folder.path("typo")
    let run = Run(words + ["--home", home])
    #expect(run.status == 3, "\(words): \(run.status) \(run.errors)")
    #expect(run.errors.contains(home), "\(words): \(run.errors)")
    #expect(run.output.isEmpty)
    #expect(access(home, F_OK) != 0)
  }

  @Test(
    "A folder without a home, and a file in its place, are not homes either",
    arguments: [["groups"], ["stats", "--ledger"], ["verify", "--all"], ["gc"]])
  func noHome(words: [String]) throws {
    let empty = folder.path("empty")
    #expect(mkdir(empty, 0o700) == 0)
    let file = folder.path("file")
    let descriptor = open(file, O_WRONLY | O_CREAT, 0o600)
    #expect(descriptor >= 0)
    close(descriptor)
    for home in [empty, file] {
      let run = Run(words + ["--home", home])
      #expect(run.status == 3 && run.errors.contains(home), "\(home): \(run.errors)")
    }
    #expect(access(empty + "/mayday.db", F_OK) != 0)
  }

  @Test(
    "With a server set, what works on a home of this machine does not take the default one",
    arguments: [
      ["ingest", "/etc/hostname"], ["gc"], ["backup", "b"],
      ["remove", "0a0a"], ["verify", "--all"], ["export", "-o", "e"], ["import", "/etc/hostname"],
      ["import", "appcenter", "/etc/hostname", "--app", "Tern"],
      ["intake-links", "add", "a", "--app", "Tern"], ["intake-links", "list"],
      ["intake-links", "revoke", "a"],
      ["import", "sentry", "/etc/hostname"], ["import", "socorro", "/etc/hostname"],
      ["restore", "/etc/hostname"], ["symbols", "add", "/etc/hostname"], ["symbols", "retry"],
      ["symbols", "remove", "0a0a"], ["symbols", "gc", "--older-than", "3d"],
      ["symbols", "sharing"],
      ["scrub", "show"],
    ])
  func server(words: [String]) throws {
    let environment = [
      "MAYDAY_SERVER": "http://127.0.0.1:1", "XDG_DATA_HOME": folder.path("data"),
    ]
    let run = Run(words, environment: environment)
    #expect(run.status == 2, "\(words): \(run.status) \(run.errors)")
    #expect(run.errors.contains("MAYDAY_SERVER") && run.errors.contains("--home"), "\(run.errors)")
    #expect(access(folder.path("data/mayday"), F_OK) != 0)
    // A named home takes precedence.
    let named = Run(words + ["--home", folder.path("named")], environment: environment)
    #expect(!named.errors.contains("MAYDAY_SERVER"), "\(named.errors)")
  }

  @Test(
    "A home of a newer program, a damaged one and one that lacks a file are failures that say so")
  func unusable() throws {
    func home(_ name: String) throws -> String {
      let home = folder.path(name)
      let sample = Samples.path("apple-ips/abort-1.0.0-macos-x86_64.ips")
      #expect(Run(["ingest", sample, "--home", home]).status == 0)
      return home
    }
    let newer = try home("newer")
    do {
      let database = try Connection(opening: newer + "/mayday.db")
      try database.execute("PRAGMA user_version = 999")
    }
    let halved = try home("halved")
    #expect(unlink(halved + "/blobs/small.db") == 0)
    let damaged = try home("damaged")
    for name in ["mayday.db-wal", "mayday.db-shm"] { unlink("\(damaged)/\(name)") }
    let file = open(damaged + "/mayday.db", O_WRONLY)
    let rubbish = [UInt8](repeating: 0x5a, count: 8_192)
    #expect(write(file, rubbish, rubbish.count) == rubbish.count)
    close(file)
    for (home, words) in [(newer, "newer version"), (halved, "small.db"), (damaged, "mayday.db")] {
      for command in [["groups"], ["stats", "--ledger"], ["verify", "--all"], ["gc"]] {
        let run = Run(command + ["--home", home])
        #expect(run.status == 1, "\(command): \(run.status) \(run.errors)")
        #expect(run.errors.contains(words) && run.output.isEmpty, "\(command): \(run.errors)")
      }
    }
  }
}
