import Identifiers
import TestSupport
import Testing
import TriageModel

@testable import Query

@Suite struct QueryParserTests {
  /// 2026-05-28T20:26:40Z
  static let now = Timestamp(seconds: 1_780_000_000)

  static func query(_ text: String) throws -> Query { try Query(text, now: now) }

  @Test(
    "What is read prints as it was written, in one way",
    arguments: zip(
      [
        "", "  crash\t loop ", "version:2.4.*  build:>=512", "-is:handled", "-\"a b\"",
        "signal:SIGSEGV|SIGBUS", "reason:\"null dereference\"", "std::vector", "a|\"b c\"|d",
        "-[View draw:]", "--[View draw:]", "+[View make]", "Foo.swift:12", "VERSION:1",
        "release:1", "function:=main", "function:operator<", "app:=Tern", "id:=5a2c",
        "version:>=1.4.0(512)", "version:\"1.4.0 (512)\"", "build:1..5", "build:..5", "build:5..",
        "version:\"1.0 (5)\"..\"1.2 (7)\"", "first:<7d last:>=2w", "time:2026-05-01..2026-05-07",
        "time:today", "reports:>100", "uptime:<0.5", "tag.Category:Music", "tag.\"My key\":a*",
        "TAG.x:1", "user:\"\"", "user:\"*\"", "user:*", "exception:NSRangeException",
        "is:OPEN|Regressed", "message:\"say \\\"no\\\" \\\\ now\"", "app:\"Tern\"", "\"-a\"",
        "symbols:missing|partial", "received:<24h", "file:src/a.c", "text:word", "\"a|b\"",
        "time:2026-05-01T12:00:00Z", "install:8D1F-2A60", "text:-x", "\"version:1\"",
        "version:=1.4", "version:\"1.4\"", "signal:SEGV", "build:\"5\"", "is:NEW",
        "-is:regressed|new",
      ],
      [
        "", "crash loop", "version:2.4.* build:>=512", "-is:handled", "-\"a b\"",
        "signal:SIGSEGV|SIGBUS", "reason:\"null dereference\"", "std::vector", "a|\"b c\"|d",
        "-[View draw:]", "--[View draw:]", "+[View make]", "Foo.swift:12", "version:1",
        "version:1", "function:=main", "function:operator<", "app:Tern", "id:=5a2c",
        "version:>=1.4.0(512)", "version:\"1.4.0 (512)\"", "build:1..5", "build:..5", "build:5..",
        "version:\"1.0 (5)\"..\"1.2 (7)\"", "first:<7d last:>=2w", "time:2026-05-01..2026-05-07",
        "time:today", "reports:>100", "uptime:<0.5", "tag.Category:Music", "tag.\"My key\":a*",
        "tag.x:1", "user:\"\"", "user:\"*\"", "user:*", "type:NSRangeException",
        "is:open|regressed", "message:\"say \\\"no\\\" \\\\ now\"", "app:Tern", "\"-a\"",
        "symbols:missing|partial", "received:<24h", "file:src/a.c", "word", "\"a|b\"",
        "time:2026-05-01T12:00:00Z", "install:8D1F-2A60", "text:-x", "\"version:1\"",
        "version:=1.4", "version:=1.4", "signal:SEGV", "build:5", "is:new", "-is:regressed|new",
      ]))
  func canonical(text: String, expected: String) throws {
    let query = try Self.query(text)
    #expect(query.text == expected)
    #expect(try Self.query(query.text) == query)
  }

  @Test(
    "A wrong query points at the place",
    arguments: zip(
      [
        "os:iOS colour:red", "version:", "-", "a -", "is:opne", "build:>", "a|", "|a", "a||b",
        "\"a b", "user:\"a\"b", "reports:many", "time:7d", "time:2026-13-01", "build:5..2",
        "version:>1.*", "is:open|crash", "install:8D*", "tag.:x", "time:2026-02-30",
        "reports:..", "\"\"", "versoin:2", "日本 colour:x",
      ],
      [
        """
        no field 'colour'
          os:iOS colour:red
                 ^~~~~~
        To search for it as text, put it in quotes.
        """,
        """
        no value after 'version:'
          version:
          ^~~~~~~~
        Such as: version:>=2.4
        """,
        """
        there is nothing after '-'
          -
          ^
        Write the negated term right after it, or "-" to search for a minus.
        """,
        """
        there is nothing after '-'
          a -
            ^
        Write the negated term right after it, or "-" to search for a minus.
        """,
        """
        'opne' is not a value of is:
          is:opne
             ^~~~
        Did you mean open? Choose from open, resolved, ignored, regressed, crash, handled, hang, oom, \
        other, provisional, unassigned, new.
        """,
        """
        no value after '>'
          build:>
                ^
        Such as: build:512..600
        """,
        """
        a value is missing next to '|'
          a|
           ^
        Write a|b, or "|" to search for it.
        """,
        """
        a value is missing next to '|'
          |a
          ^
        Write a|b, or "|" to search for it.
        """,
        """
        a value is missing next to '|'
          a||b
           ^~
        Write a|b, or "|" to search for it.
        """,
        """
        the quote is not closed
          "a b
          ^
        Close it with ".
        """,
        """
        text runs on after the quote
          user:"a"b
                  ^
        A quote inside quotes is written \\".
        """,
        """
        'many' is not a number
          reports:many
                  ^~~~
        Such as: 100, 0.5
        """,
        """
        '7d' alone is too short
          time:7d
               ^~
        Write <7d for less than that ago, >7d for more.
        """,
        """
        '2026-13-01' is not a time
          time:2026-13-01
               ^~~~~~~~~~
        Such as: 2026-05-01, 2026-05-01T12:00:00Z, today, <7d (s, m for minutes, h, d, w)
        """,
        """
        the range ends before it begins
          build:5..2
                ^~~~
        Write the lower end first.
        """,
        """
        versions with wildcards have no order
          version:>1.*
                   ^~~
        Write the version out, or omit the comparison.
        """,
        """
        some of these are of the group, some of the report
          is:open|crash
          ^~~~~~~~~~~~~
        Write a condition for each: is:open is:crash
        """,
        """
        install: takes no wildcards
          install:8D*
                  ^~~
        Only its hash is stored, so give the complete value.
        """,
        """
        no name of a tag
          tag.:x
          ^~~~
        Such as: tag.Category:Music
        """,
        """
        '2026-02-30' is not a time
          time:2026-02-30
               ^~~~~~~~~~
        Such as: 2026-05-01, 2026-05-01T12:00:00Z, today, <7d (s, m for minutes, h, d, w)
        """,
        """
        '..' has neither a lower nor an upper end
          reports:..
                  ^~
        """,
        """
        nothing to search for
          ""
          ^~
        """,
        """
        no field 'versoin'
          versoin:2
          ^~~~~~~
        Did you mean 'version:'?
        """,
        """
        no field 'colour'
          日本 colour:x
               ^~~~~~
        To search for it as text, put it in quotes.
        """,
      ]))
  func errors(text: String, expected: String) throws {
    let error = try #require(throws: QueryError.self) { try Self.query(text) }
    let lines = error.lines().prefix { !$0.hasPrefix("Fields:") }
    #expect(lines.joined(separator: "\n") == expected)
    #expect(error.listsFields == error.message.hasPrefix("no field"))
  }

  @Test(
    "What plainly is meant as a condition is an error that shows the condition",
    arguments: zip(
      [
        "version>=1.1", "app=Tern", "os:iOS signal!=SIGSEGV", "(is:open", "((version:1", "!is:open",
        "reports>100", "-version<2", "tag.plan=Pro", "os-version:17", "is:unresolved",
        "is:muted", "is:mine",
      ],
      [
        "Did you mean version:>=1.1?", "Did you mean app:Tern?",
        "Did you mean -signal:SIGSEGV?", "Leave them out", "Leave them out", "-is:open.",
        "Did you mean reports:>100?", "Did you mean version:<2?", "Did you mean tag.plan:Pro?",
        "Did you mean 'os.version:'?", "Write is:open|regressed", "Write is:ignored.",
        "Write assignee:me.",
      ]))
  func lookalikes(text: String, hint: String) throws {
    let error = try #require(throws: QueryError.self) { try Self.query(text) }
    #expect(error.hint?.contains(hint) == true, "\(error.hint ?? "")")
    // No suggestion is the opposite of what was written.
    #expect(error.hint?.contains("mean resolved") != true)
  }

  @Test(
    "Text that has the signs of a condition is still text",
    arguments: [
      "last<Element>", "vector<int>", "operator>=", "code=13", "Version>=1", "a==b", "(Foo)",
      "(closure", "lib-core:x", "foo-bar-baz:12", "x>=y", "!ptr", "\"version>=1.1\"",
      "file<T>::get", "version>=",
    ])
  func text(text: String) throws {
    let query = try Self.query(text)
    #expect(query.conditions.map(\.field) == [.words])
    #expect(try Self.query(query.text) == query)
  }

  @Test("A stored query with such a text still searches for it")
  func stored() throws {
    let query = try Query(stored: "version>=1.1 (is:open", now: Self.now)
    #expect(query.conditions.map(\.field) == [.words, .words])
    #expect(try Self.query(query.text) == query)
  }

  @Test("The names that lists use for first and last are fields")
  func aliases() throws {
    #expect(try Self.query("first-seen:>7d last-seen:<1d").text == "first:>7d last:<1d")
  }

  @Test("The assignee 'me' is whoever asks, and in quotes a name")
  func me() throws {
    let asked = try Query("-assignee:ME|bob", now: Self.now, me: "ann b")
    #expect(asked.text == "-assignee:\"ann b\"|bob" && !asked.isAboutCaller)
    #expect(try Query("assignee:me", now: Self.now, me: "me").text == "assignee:\"me\"")
    let unknown = try Self.query("assignee:me")
    #expect(unknown.isAboutCaller && unknown.text == "assignee:me")
    let quoted = try Query("assignee:\"me\"", now: Self.now, me: "ann")
    #expect(quoted.text == "assignee:\"me\"" && !quoted.isAboutCaller)
    #expect(try Query(quoted.text, now: Self.now, me: "ann") == quoted)
  }

  @Test("A group without an assignee is unassigned")
  func unassigned() throws {
    let query = try Self.query("is:unassigned")
    #expect(query.conditions[0].level == .group)
    var values = ReportValues()
    values.group = GroupValues(
      name: "TERN-1", state: .open, reports: 1, installs: 1, versions: 1, firstSeen: Self.now,
      lastSeen: Self.now)
    #expect(query.matches(values))
    values.group?.assignee = "ann"
    #expect(!query.matches(values))
    #expect(try Self.query("is:open|unassigned").matches(values))
  }

  @Test("Exceeding a limit is an error")
  func limits() {
    let long = String(repeating: "a", count: QueryLimits.length + 1)
    let conditions = (0...QueryLimits.conditions).map { "a\($0)" }.joined(separator: " ")
    let alternatives = (0...QueryLimits.alternatives).map { "a\($0)" }.joined(separator: "|")
    let wildcards = String(repeating: "a*", count: QueryLimits.wildcards + 1)
    for text in [long, conditions, alternatives, wildcards, "user:" + wildcards] {
      #expect(throws: QueryError.self) { try Self.query(text) }
    }
    #expect(throws: Never.self) { try Self.query(String(long.dropLast())) }
  }

  @Test("The error of a long query shows the part around the position")
  func longError() throws {
    let text =
      String(repeating: "word ", count: 60) + "colour:red " + String(repeating: "more ", count: 20)
    let error = try #require(throws: QueryError.self) { try Self.query(text) }
    let lines = error.lines(width: 60)
    #expect(lines[1].hasPrefix("  …") && lines[1].hasSuffix("…"))
    #expect(lines[1].count <= 60)
    let column = lines[2].prefix { $0 == " " }.count
    #expect(lines[1].dropFirst(column).hasPrefix("colour:red"))
    for line in lines { #expect(line.count <= 60) }
  }

  @Test("A text of random characters is a query or an error with a valid position")
  func random() {
    let signs = Array("ab:|\"-=<>.*?\\ ()[]+1é\u{301}日\t".unicodeScalars)
    let words = [
      "version:", "time:", "reports:", "is:", "tag.", "user:", "open", "7d", "2026-05-01",
    ]
    var random = SplitMix(seed: 3)
    for _ in 0..<4_000 {
      var text = ""
      for _ in 0..<random.below(14) {
        if random.below(4) == 0 {
          text += words[random.below(words.count)]
        } else {
          text.unicodeScalars.append(signs[random.below(signs.count)])
        }
      }
      do {
        let query = try Self.query(text)
        let again = try Self.query(query.text)
        #expect(again == query, "\(text)")
        #expect(again.text == query.text, "\(text)")
      } catch let error as QueryError {
        #expect(error.range.upperBound <= error.text.unicodeScalars.count, "\(text)")
        #expect(error.lines().count >= 3)
      } catch {
        Issue.record("\(error)")
      }
    }
  }

  @Test(
    "A word that joins conditions in other languages is an error that says how it is written here",
    arguments: [
      ("os:iOS OR os:macOS", "a|b"), ("os:iOS AND x", "all conditions"), ("NOT x", "minus"),
    ])
  func operators(text: String, hint: String) {
    let error = #expect(throws: QueryError.self) { try Self.query(text) }
    #expect(error?.hint?.contains(hint) == true)
    #expect(throws: Never.self) { try Self.query(text.lowercased()) }
    #expect(throws: Never.self) { try Self.query("\"OR\" \"AND\" \"NOT\" ORDER") }
  }
}
