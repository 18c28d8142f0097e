import Glibc
import TestSupport
import Testing

@testable import CommandSupport
@testable import ProgramSupport

/// Mistakes that people make, and the kind of answer that each gets: an exit status, and a text that names what
/// is wrong or what to write.
@Suite("Mistakes") struct MistakeTests {
  private static let filled = FilledHome()

  /// A command line as it is typed, and what must be in its answer.
  struct Mistake: CustomTestStringConvertible, Sendable {
    let line: String
    let code: ExitCode
    let named: [String]
    /// What the answer must not contain.
    var absent: [String] = []

    init(_ line: String, _ code: ExitCode, _ named: String..., without absent: [String] = []) {
      self.line = line
      self.code = code
      self.named = named
      self.absent = absent
    }

    var testDescription: String { line }
  }

  /// Runs a line whose words are separated by blanks; `·` in a word is a blank.
  private func check(_ mistake: Mistake, at home: String) {
    let words = mistake.line.split(separator: " ").map {
      String($0.replacing("·", with: " "))
    }
    let run = Run(words, environment: ["MAYDAY_HOME": home])
    let text = run.errors + run.output
    #expect(run.status == mistake.code.rawValue, "\(mistake.line): \(text.prefix(400))")
    for name in mistake.named {
      #expect(text.contains(name), "\(mistake.line) must name '\(name)': \(text.prefix(600))")
    }
    for name in mistake.absent { #expect(!text.contains(name), "\(mistake.line): \(name)") }
    #expect(!text.contains("Fatal error"))
  }

  // MARK: Commands and options

  @Test(
    "Of commands and options",
    arguments: [
      Mistake("ls", .wrongUsage, "groups"),
      Mistake("list", .wrongUsage, "groups"),
      Mistake("group", .wrongUsage, "did you mean 'groups'?"),
      Mistake("showw TERN-1", .wrongUsage, "did you mean 'show'?"),
      Mistake("symbolize x.ips", .wrongUsage, "did you mean 'symbolicate'?"),
      Mistake("triag crashes", .wrongUsage, "did you mean 'triage'?"),
      Mistake("Groups", .wrongUsage, "did you mean 'groups'?"),
      Mistake("help nothing", .wrongUsage, "unknown command 'nothing'"),
      Mistake("config set", .wrongUsage, "unknown command 'set' of 'config'"),
      Mistake("symbols ad x", .wrongUsage, "did you mean 'add'?"),
      Mistake("releases lst", .wrongUsage, "did you mean 'list'?"),
      Mistake("--frobnicate", .wrongUsage, "unknown option --frobnicate"),
      Mistake("groups --limt 3", .wrongUsage, "did you mean --limit?"),
      Mistake("groups --jsn", .wrongUsage, "did you mean --json?"),
      Mistake("triage x --symbol y", .wrongUsage, "did you mean --symbols?"),
      Mistake("triage x --dsym y", .wrongUsage, "did you mean --symbols?"),
      Mistake("serve --port 8080", .wrongUsage, "did you mean --listen?", without: ["--cors"]),
      Mistake("serve --host 0.0.0.0", .wrongUsage, "did you mean --listen?"),
      Mistake("groups --url https://x", .wrongUsage, "did you mean --server?"),
      Mistake("groups --top 5", .wrongUsage, "did you mean --limit?"),
      Mistake("groups --limit", .wrongUsage, "--limit needs a value"),
      Mistake("groups --csv=yes", .wrongUsage, "--csv takes no value"),
      Mistake("completions tcsh", .wrongUsage, "bash, zsh, fish"),
      Mistake("completions", .wrongUsage, "SHELL is missing"),
      Mistake("man nothing", .wrongUsage, "nothing"),
    ])
  func commands(_ mistake: Mistake) { check(mistake, at: Self.filled.home) }

  @Test(
    "Of arguments that are missing or too many",
    arguments: [
      Mistake("show TERN-1 TERN-2", .wrongUsage, "unexpected argument 'TERN-2'"),
      Mistake("triage", .wrongUsage, "PATH is missing; write - for standard input"),
      Mistake("symbolicate", .wrongUsage, "FILE is missing; write - for standard input"),
      Mistake("ingest", .wrongUsage, "PATH is missing; write - for standard input"),
      Mistake("resolve", .wrongUsage, "ID is missing"),
      Mistake("assign TERN-1", .wrongUsage, "WHO is missing", "--none"),
      Mistake("assign TERN-1 TERN-2", .wrongUsage, "TERN-2, which is a group"),
      Mistake("note TERN-1", .wrongUsage, "TEXT is missing"),
      Mistake("merge TERN-1", .wrongUsage, "OTHER is missing"),
      Mistake("releases add", .wrongUsage, "FILE|APP... is missing"),
      Mistake("tokens add", .wrongUsage, "LABEL is missing"),
      Mistake("tokens add x", .wrongUsage, "--scope is missing"),
      Mistake("tokens add x --scope reed", .wrongUsage, "did you mean 'read'?"),
      Mistake("accounts add", .wrongUsage, "NAME is missing"),
      Mistake("accounts add x --role boss", .wrongUsage, "viewer, triage or admin"),
      Mistake("alerts add", .wrongUsage, "KIND is missing"),
      Mistake("alerts add newgroup", .wrongUsage, "did you mean 'new-group'?"),
      Mistake("backup", .wrongUsage, "FILE is missing"),
      Mistake("export", .wrongUsage, "--output is missing"),
      Mistake("erase", .wrongUsage, "--user", "--install"),
      Mistake("correlate", .wrongUsage, "GROUP is missing"),
      Mistake("explain TERN-1 --against", .wrongUsage, "--against needs a value"),
    ])
  func arguments(_ mistake: Mistake) { check(mistake, at: Self.filled.home) }

  @Test(
    "Of values",
    arguments: [
      Mistake("groups --sort foo", .wrongUsage, "must be one of", "last-seen"),
      Mistake("groups --limit x", .wrongUsage, "write it like 20"),
      Mistake("groups --limit -1", .wrongUsage, "cannot be below 0"),
      Mistake("groups --json --csv", .wrongUsage, "--json and --csv"),
      Mistake("groups --by foo", .wrongUsage, "unknown field 'foo'", "os.version"),
      Mistake("groups --by os.versoin", .wrongUsage, "did you mean 'os.version'?"),
      Mistake("groups --columns foo", .wrongUsage, "unknown column 'foo'", "last-seen"),
      Mistake("groups --columns reprots", .wrongUsage, "did you mean 'reports'?"),
      Mistake("groups --after xyz", .wrongUsage, "cursor"),
      Mistake("groups --trend --days 0", .wrongUsage, "--days is 1 to"),
      Mistake("ignore TERN-1 --for soon", .wrongUsage, "30d"),
      Mistake("ignore TERN-1 --until 0", .wrongUsage, "--until needs a number from 1 up"),
      Mistake("apps set Tern", .wrongUsage, "nothing to set", "--keep-days"),
      Mistake("apps set Tern --keep-days x", .wrongUsage, "20, or none"),
      Mistake("apps set Tern --keep-bytes 10", .wrongUsage, "--keep-bytes", "500MB"),
      Mistake("apps set Tern --keep-bytes 999", .wrongUsage, "500MB"),
      Mistake("apps set Tern --keep-bytes 10·gigs", .wrongUsage, "500MB"),
      Mistake("triage x --max-report 5", .wrongUsage, "--max-report", "500MB"),
      Mistake("gc --keep-bytes", .wrongUsage, "--keep-bytes needs a value"),
      Mistake("serve --listen nowhere", .wrongUsage, "127.0.0.1:8080"),
      Mistake("formats foo", .wrongUsage, "'mayday formats' lists them"),
      Mistake("groups --color sometimes", .wrongUsage, "auto"),
      Mistake("show TERN-1 --format pdf", .wrongUsage, "md"),
    ])
  func values(_ mistake: Mistake) { check(mistake, at: Self.filled.home) }

  // MARK: Queries

  @Test(
    "Of queries",
    arguments: [
      Mistake("groups verison:1.1", .wrongUsage, "Did you mean 'version:'?"),
      Mistake("groups version:", .wrongUsage, "no value after 'version:'"),
      Mistake("groups version>=1.1", .wrongUsage, "Did you mean version:>=1.1?"),
      Mistake("reports version>=1.1", .wrongUsage, "Did you mean version:>=1.1?"),
      Mistake("symbols missing version>=1.1", .wrongUsage, "Did you mean version:>=1.1?"),
      Mistake("groups app=Tern", .wrongUsage, "Did you mean app:Tern?"),
      Mistake("groups signal!=SIGSEGV", .wrongUsage, "Did you mean -signal:SIGSEGV?"),
      Mistake("groups (is:open", .wrongUsage, "parentheses", "Leave them out"),
      Mistake("groups !is:open", .wrongUsage, "-is:open"),
      Mistake("groups is:unresolved", .wrongUsage, "is:open|regressed", without: ["mean resolved"]),
      Mistake("groups is:opne", .wrongUsage, "Did you mean open?"),
      Mistake("groups is:muted", .wrongUsage, "is:ignored"),
      Mistake("groups reports:many", .wrongUsage, "'many' is not a number"),
      Mistake("groups time:7d", .wrongUsage, "<7d"),
      Mistake("groups time:yesteryear", .wrongUsage, "is not a time", "2026-05-01"),
      Mistake("groups a AND b", .wrongUsage, "Leave it out"),
      Mistake("groups a OR b", .wrongUsage, "a|b"),
      Mistake("groups NOT is:open", .wrongUsage, "-is:handled"),
      Mistake("groups build:5..2", .wrongUsage, "Write the lower end first"),
      Mistake("groups user:\"a", .wrongUsage, "the quote is not closed"),
      Mistake("groups os-version:17", .wrongUsage, "Did you mean 'os.version:'?"),
      // These are queries, and find nothing.
      Mistake("groups os:macSO", .fine, "did you mean os:macOS?"),
      Mistake("groups app:tern", .fine, "did you mean app:Tern?"),
      Mistake("groups TERN-1", .fine, "did you mean group:TERN-1?", "mayday show TERN-1"),
      Mistake("reports tern-1", .fine, "did you mean group:TERN-1?"),
      Mistake("groups app:Tern app:Atlas", .fine, "did you mean app:Tern|Atlas?"),
      Mistake("reports signal:NOPE", .fine, "No report has signal:NOPE"),
      Mistake("groups first-seen:>3650d", .fine, "No groups"),
    ])
  func queries(_ mistake: Mistake) { check(mistake, at: Self.filled.home) }

  // MARK: Ids

  @Test(
    "Of ids",
    arguments: [
      Mistake("show TERN1", .notFound, "Did you mean this one?", "TERN-1"),
      Mistake("show 1", .notFound, "TERN-1", "4 digits"),
      Mistake("show a", .notFound, "4 digits"),
      Mistake("show abc", .notFound, "4 digits"),
      Mistake("show TERN-999", .notFound, "The groups of Tern are TERN-1 to TERN-"),
      Mistake("show NOPE-1", .notFound, "TERN-1"),
      Mistake("show ffffffffffff", .notFound, "no group or report named"),
      Mistake("explain 1", .notFound, "there is no group, report or file"),
      Mistake("resolve TERN-999", .notFound, "The groups of Tern are TERN-1 to TERN-"),
      Mistake("resolve TERN1", .notFound, "TERN-1"),
      Mistake("resolve TERN-1 1.2.0", .wrongUsage, "--in 1.2.0"),
      Mistake("resolve TERN-1 --in banana", .wrongUsage, "'banana' is not a version"),
      Mistake("resolve TERN-1 --in 2.0 --next", .wrongUsage, "--in names a version"),
      Mistake("ignore TERN-1 30d", .wrongUsage, "--for 30d"),
      Mistake("ignore TERN-1 100", .wrongUsage, "--until 100"),
      Mistake("ignore TERN-999", .notFound, "TERN-1 to TERN-"),
      Mistake("remove TERN-1", .wrongUsage, "is a group", "mayday reports group:TERN-1"),
      Mistake("remove 1", .notFound, "TERN-1"),
      Mistake("merge TERN-1 TERN-999", .notFound, "TERN-999"),
      Mistake("undo TERN-1", .notFound, "has no change that could be undone"),
      Mistake("unmerge TERN-1", .failed, "TERN-1"),
      Mistake("stats --app Nope", .notFound, "Nope"),
      Mistake("regressions --app Nope", .notFound, "Nope"),
      Mistake("apps set Ternn --keep-days 3", .notFound, "Ternn"),
    ])
  func ids(_ mistake: Mistake) { check(mistake, at: Self.filled.home) }

  // MARK: Files

  @Test("Of files that are missing, or of another kind")
  func files() {
    let folder = ScratchFolder()
    let home = Self.filled.home
    folder.write("words.txt", "only words".utf8)
    folder.write("tool.py", "import sys\n".utf8)
    #expect(mkdir(folder.path("empty"), 0o700) == 0)
    func path(_ name: String) -> String { folder.path(name) }
    for mistake in [
      Mistake("triage " + path("none"), .notFound, "No such file or directory"),
      Mistake("symbolicate " + path("none"), .notFound, "No such file or directory"),
      Mistake("ingest " + path("none"), .notFound, "No such file or directory"),
      Mistake("triage " + path("words.txt"), .failed, "no crash report was found"),
      Mistake("triage " + path("empty"), .failed, "no crash report was found"),
      Mistake("symbolicate " + path("words.txt"), .failed, "words.txt"),
      Mistake("symbolicate " + BuiltProgram.mayday, .failed, "pass it with --symbols"),
      Mistake("symbols add " + path("words.txt"), .failed, "no debug files"),
      Mistake("import " + path("none"), .notFound, "No such file or directory"),
      Mistake("ingest \(path("words.txt")) --attach \(path("none"))", .notFound, "none"),
      Mistake("restore " + path("none"), .failed, "not empty"),
      Mistake(
        "triage \(Samples.path("apple-ips")) --strict \(path("tool.py"))", .failed, "not a report"),
    ] { check(mistake, at: home) }
    #expect(
      Run(["triage", folder.path], environment: ["MAYDAY_HOME": home]).output.contains(
        "source code, not a crash report"))
  }

  // MARK: Servers

  @Test("Of addresses and tokens of a server")
  func servers() throws {
    let folder = ScratchFolder()
    let server = try #require(RunningServer(home: folder.path("home")))
    defer { _ = server.stop() }
    let address = "127.0.0.1:\(server.port)"
    for mistake in [
      Mistake("groups --server nowhere", .wrongUsage, "https:// or http://"),
      Mistake("groups --server http://127.0.0.1:1", .unreachable, "Failed to connect"),
      Mistake(
        "groups --server http://\(address)", .notAllowed, "a token with the scope read is needed",
        "$MAYDAY_TOKEN", "mayday tokens add"),
      Mistake(
        "groups --server http://\(address) --token mayday_x", .notAllowed,
        "unknown, revoked or expired", "--token-file"),
      Mistake(
        "groups --server https://\(address)", .unreachable, "does not speak TLS",
        "http://\(address)"),
      Mistake(
        "groups --server http://\(address)/crashes --token \(server.token)", .notFound,
        "not a Mayday server"),
      Mistake(
        "upload \(Samples.path("apple-ips")) --to http://\(address)", .notAllowed,
        "a token with the scope", "$MAYDAY_TOKEN"),
      Mistake("groups --server http://\(address) --token", .wrongUsage, "--token needs a value"),
    ] { check(mistake, at: Self.filled.home) }
  }
}
