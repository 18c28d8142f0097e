import Bytes
import Database
import Files
import Glibc
import JSON
import TestSupport
import Testing

@testable import ProgramSupport

/// No text of an erased person is left in the bytes of a home, including free pages and logs; and files
/// outside of it that contain reports are readable by their owner only.
@Suite("Remains of an erased person") struct ErasedTextTests {
  private let folder = ScratchFolder()
  /// A word for each field of a report that can contain text about a person.
  private static let words = (
    user: "qzuserplantedone", message: "qzmessageplantedtwo", property: "qzpropertyplantedthree",
    file: "qzfileplantedfour", attachment: "qzattachmentplantedfive", note: "qznoteplantedsix"
  )

  private func write(_ text: String, to name: String) throws -> String {
    let path = folder.path(name)
    let file = try #require(fopen(path, "w"))
    fputs(text, file)
    fclose(file)
    return path
  }

  /// A handled error with a word in every field that takes text of a person.
  private func log(user: String, message: String, property: String) -> String {
    """
    {"logs":[{"type":"handledError","id":"A3C1F0D2-5B7E-4E19-8C3A-6F2D1B9E0A11",
    "timestamp":"2026-03-02T10:12:01Z","userId":"\(user)","properties":{"k":"\(property)"},
    "exception":{"type":"E","message":"\(message) 7 and more","frames":[{"className":"a.B",
    "methodName":"c","lineNumber":3}]},"device":{"osName":"Android","appVersion":"1.2.0"}}]}
    """
  }

  private func holders(of word: String, in home: String) throws -> [String] {
    try FolderListing.files(below: home).map { "\(home)/\($0)" }.filter { file in
      let bytes = try ByteView(reading: file, limit: 1 << 28)
      return bytes.text.contains(word)
    }
  }

  @Test("No word of an erased user is in any byte of the home, and others keep theirs")
  func bytes() throws {
    let home = folder.path("home")
    let words = Self.words
    let file = try write(
      log(user: words.user, message: words.message, property: words.property),
      to: words.file + ".json")
    let notes = try write("sent by \(words.note)", to: words.attachment + ".txt")
    let other = try write(
      log(user: "otheruser", message: "othermessage", property: "otherproperty"), to: "other.json")
    #expect(Run(["ingest", file, "--app", "Tern", "--attach", notes, "--home", home]).status == 0)
    #expect(Run(["ingest", other, "--app", "Tern", "--home", home]).status == 0)
    // They are there before, plain or as searchable text.
    #expect(try !holders(of: words.message, in: home).isEmpty)
    #expect(Run(["groups", "--json", "--home", home]).json.array?.isEmpty == false)
    let erased = Run(["erase", "--user", words.user, "--json", "--home", home])
    #expect(erased.status == 0 && erased.json["reports"]?.integer == 1, "\(erased.errors)")
    for word in [
      words.user, words.message, words.property, words.file, words.attachment, words.note,
    ] {
      #expect(try holders(of: word, in: home).isEmpty, "\(word)")
    }
    // Compressed contents are deleted, too: only those of the other report are left.
    let left = try Connection(opening: home + "/blobs/small.db")
      .integer("SELECT count(*) FROM contents")
    #expect(left == 2)
    #expect(Run(["verify", "--all", "--home", home]).status == 0)
    #expect(Run(["stats", "--ledger", "--home", home]).status == 0)
    for query in ["othermessage", "user:otheruser", "tag.k:otherproperty"] {
      #expect(Run(["reports", query, "--json", "--home", home]).json.array?.count == 1, "\(query)")
    }
    #expect(Run(["reports", words.message, "--json", "--home", home]).json.array?.isEmpty == true)
    let shown = Run(["groups", "--json", "--home", home])
    #expect(!shown.output.contains(words.message))
  }

  @Test("The last report of a group takes the group's reason with it")
  func lastOne() throws {
    let home = folder.path("home")
    let words = Self.words
    let file = try write(
      log(user: words.user, message: words.message, property: "p"), to: "a.json")
    #expect(Run(["ingest", file, "--app", "Tern", "--home", home]).status == 0)
    #expect(Run(["erase", "--user", words.user, "--home", home]).status == 0)
    #expect(try holders(of: words.message, in: home).isEmpty)
    #expect(!Run(["groups", "--json", "--home", home]).output.contains(words.message))
  }

  @Test("The audit log's pseudonym of a person differs in every home")
  func mark() throws {
    func mark(_ name: String) throws -> String {
      let home = folder.path(name)
      let file = try write(log(user: "jo@example.com", message: "m", property: "p"), to: "m.json")
      #expect(Run(["ingest", file, "--app", "Tern", "--home", home]).status == 0)
      for _ in 0..<2 {
        #expect(Run(["erase", "--user", "jo@example.com", "--home", home]).status == 0)
      }
      let database = try Connection(opening: home + "/server.db")
      #expect(try database.integer("SELECT count(DISTINCT subject) FROM audit") == 1)
      return try database.requiredText("SELECT subject FROM audit LIMIT 1")
    }
    let (one, other) = (try mark("one"), try mark("two"))
    #expect(one.hasPrefix("user ") && other.hasPrefix("user ") && one != other)
  }

  @Test("Files that hold reports are for their owner only, whatever the umask")
  func modes() throws {
    let home = folder.path("home")
    let sample = Samples.path("apple-ips/abort-1.0.0-macos-x86_64.ips")
    #expect(Run(["ingest", sample, "--app", "Tern", "--home", home]).status == 0)
    let (backup, export, page) = (folder.path("b"), folder.path("e"), folder.path("p.html"))
    func open(_ words: [String]) -> Int32 {
      Run(["-c", "umask 0; exec \"$@\"", "sh", BuiltProgram.mayday] + words, program: "/bin/sh")
        .status
    }
    #expect(open(["backup", backup, "--home", home]) == 0)
    #expect(open(["export", "-o", export, "--home", home]) == 0)
    #expect(open(["triage", sample, "--html", page]) == 0)
    for path in [backup, export, page]
      + (try FolderListing.files(below: home).map { "\(home)/\($0)" })
    {
      var status = stat()
      #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600, "\(path)")
    }
  }
}
