import APIDocuments
import Bytes
import CrashModel
import CrashStore
import Database
import Documents
import Glibc
import HTTP
import Identifiers
import JSON
import ReportDocument
import ServerStore
import TestSupport
import Testing

@testable import AppCenterProtocol
@testable import CrashService
@testable import MaydayCommands
@testable import ModelContext
@testable import ServerAPI
@testable import ServerCore
@testable import WebPages

/// A home in which each part of a report that can be hidden has words of its own, asked by every route that the
/// router has. A new route is asked, too; one with a parameter that is not known here fails until it is judged.
@Suite("Parts of reports that only some roles see") struct HiddenPartsTests {
  private let folder = ScratchFolder()

  /// The words, none of which is part of another or of any other text.
  private enum Word: String, CaseIterable {
    case user = "qzxuserqzx"
    case install = "qzxinstallqzx"
    case session = "qzxsessionqzx"
    case comment = "qzxcommentqzx"
    case mail = "qzxmailqzx"
    case log = "qzxlogqzx"
    case event = "qzxeventqzx"
    case eventValue = "qzxvalueqzx"
    case fileName = "qzxfilenameqzx"
    case refusedFile = "qzxrefusedqzx"
    case file = "qzxattachmentqzx"
    case body = "qzxbodyqzx"
  }

  private struct Site {
    let visit: PageVisit
    let router: Router
    let group: String
    let reports: [String]
    var context: ServerContext { visit.context }

    /// The whole of an answer, headers included.
    func answer(
      _ path: String, cookie: String?, token: String?, _ method: String = "GET", body: String = ""
    ) -> (status: Int, text: String) {
      var headers: Headers = ["Host": "127.0.0.1:8080"]
      headers["Cookie"] = cookie
      headers["X-API-Token"] = token
      if method == "POST" {
        headers["Content-Type"] = "application/json"
        headers["Content-Length"] = "\(body.utf8.count)"
      }
      let response = router.respond(
        to: Request(method, path, headers: headers, body: Array(body.utf8)))
      let text =
        switch response.content {
        case .bytes(let bytes): String(decoding: bytes.array, as: UTF8.self)
        // Files of releases, of which there are none.
        case .file, .stream: ""
        }
      let fields = response.headers.fields.map { "\($0.name): \($0.value)" }
      return (response.status.code, fields.joined(separator: "\n") + "\n\n" + text)
    }
  }

  /// Whoever asks: a cookie for pages, a token for everything else.
  private struct Asker {
    var name: String
    var cookie: String?
    var token: String?
  }

  private func makeSite(protected: Bool = true) throws -> Site {
    let visit = try PageVisit(home: folder.path("home"))
    let store = visit.context.store
    var report = StoredReports.report("k")
    report.user = Word.user.rawValue
    report.install = Word.install.rawValue
    report.tags = [
      .session: Word.session.rawValue, .comment: Word.comment.rawValue,
      .lastWords: Word.log.rawValue, .locale: "de_DE",
    ]
    report.properties = ["email": Word.mail.rawValue + "@example.org", "plan": "pro"]
    let first = try add(
      report, body: Word.body.rawValue, files: [Word.fileName.rawValue + ".txt"], to: store)
    // An SDK sends events apart from the report.
    report.time = Timestamp(seconds: StoredReports.start.seconds + 60)
    let second = try StoredReports.add(
      report,
      after: [
        Breadcrumb(
          time: StoredReports.start, name: Word.event.rawValue,
          properties: ["value": Word.eventValue.rawValue])
      ], to: store)
    // A former version of each.
    try Connection(opening: store.home + "/mayday.db").execute(
      "INSERT OR IGNORE INTO redo (app, report) SELECT app, id FROM reports")
    for id in [first, second] {
      var other = report
      other.reason.message = "read again"
      let received = try store.reports.get(id).summary.received
      try store.reports.replace([
        .replaced(
          PreparedReplacement(
            of: id, received: received, by: other,
            document: ByteView(other.document(id: id, received: received)), arrivals: .max))
      ])
    }
    while try store.groups.settle() {}
    // Another app hides nothing; a report of it makes comparisons possible.
    var plain = StoredReports.report("other")
    plain.user = "heronuser"
    try add(plain, body: "plain", files: [], app: "Heron", to: store)
    if protected { try store.apps.setProtection(Self.fromTriage, of: "Tern") }
    let group = try store.reports.get(first).summary.group
    return Site(
      visit: visit, router: ServerRoutes.router(of: visit.context, protocols: ServedProtocols.all),
      group: group, reports: [first, second])
  }

  private static var fromTriage: ReportProtection {
    var protection = ReportProtection()
    for part in ReportProtection.Part.allCases { protection[part] = .triage }
    return protection
  }

  @discardableResult
  private func add(
    _ report: CrashReport, body: String, files: [String], app: String = "Tern", to store: CrashStore
  ) throws -> String {
    let bytes = ByteView("{\"raw\": \"\(body)\"}".utf8)
    let submission = Submission(
      bytes: bytes, source: "in/report", received: StoredReports.start, app: app)
    let id = ReportID.ids(of: bytes, app: app, count: 1)[0]
    var prepared = try PreparedSubmission(
      submission,
      reports: [(report, ByteView(report.document(id: id, received: StoredReports.start)))])
    for name in files {
      prepared.attach(try PreparedAttachment(name, ByteView(Word.file.rawValue.utf8)))
    }
    try store.reports.add([prepared])
    if !files.isEmpty {
      try Connection(opening: store.home + "/mayday.db").execute(
        """
        INSERT INTO refused_attachments (app, client, digest, name, reason, received)
        SELECT app, '', digest, '\(Word.refusedFile.rawValue)', 'too large', received
        FROM submissions LIMIT 1
        """)
    }
    return id
  }

  /// An account of a role with its cookie and a token of a command that it signed in.
  private func account(
    _ role: Account.Role, of site: Site, scopes: Set<TokenScope> = [.read], app: String? = nil
  ) throws -> Asker {
    let browser = site.visit.another()
    let name = "\(role.rawValue)\(app ?? "")"
    try browser.signIn(name, role, app: app)
    let account = Account(name: name, role: role, app: app, created: .now)
    let (_, token) = try site.context.tokens.make(
      label: name, scopes: scopes, app: app, account: account, now: .now)
    return Asker(name: name, cookie: browser.cookie, token: token)
  }

  /// A token of nobody.
  private func token(_ scopes: Set<TokenScope>, app: String? = nil, of site: Site) throws -> Asker {
    let (_, text) = try site.context.tokens.make(label: "ci", scopes: scopes, app: app, now: .now)
    return Asker(name: "token \(scopes)", token: text)
  }

  // MARK: Paths

  /// The values of a parameter in a pattern; `nil` for one that nobody has judged.
  private func values(of name: String, in pattern: String, of site: Site) -> [String]? {
    let file = Word.fileName.rawValue + ".txt"
    switch name {
    case "id" where pattern.hasPrefix("/groups/") || pattern.hasPrefix("/api/v1/groups/"):
      return pattern == "/groups/:id"
        ? ["", ".txt", ".md", ".json"].map { site.group + $0 } : [site.group]
    case "id" where pattern.hasPrefix("/reports/") || pattern.hasPrefix("/api/v1/reports/"):
      return pattern == "/reports/:id"
        ? site.reports.flatMap { id in ["", ".txt", ".md", ".json"].map { id + $0 } } : site.reports
    // Of a quarantined submission, an upload, a submission, a debug file.
    case "id": return ["1"]
    case "group": return [site.group]
    case "report": return site.reports
    case "app": return ["Tern"]
    case "owner": return ["acme"]
    case "name" where pattern.contains("attachments"): return [file]
    case "name" where pattern.hasPrefix("/api/v1/apps/"): return ["Tern"]
    // Of an asset of the pages, a distribution group, an account.
    case "name", "distribution_group_name", "file": return ["Tern"]
    case "attachment": return [AppCenterCall.uuid(file)]
    case "number": return ["1"]
    case "release": return ["1.2%20(7)", "1"]
    // Of an app, a file, a link, a debug file: nothing of reports is found by them.
    case "secret", "hash", "symbol", "tester", "email", "mail_token", "part", "code", "rest",
      "release_id", "user", "token", "artefact", "invitation_token", "store":
      return ["1"]
    default: return nil
    }
  }

  /// All paths of the routes for GET.
  private func paths(of site: Site) -> [(pattern: String, path: String)] {
    var all: [(String, String)] = []
    let patterns = Set(site.router.routes.filter { $0.method == "GET" }.map(\.pattern))
    for pattern in patterns.sorted() {
      // SDKs put paths before addresses; the routes are the same.
      let parts = pattern.split(separator: "/").drop { $0.hasPrefix(":prefix") }
      if pattern.hasPrefix("/:prefix"), patterns.contains("/" + parts.joined(separator: "/")) {
        continue
      }
      var paths = [""]
      for part in pattern.split(separator: "/") {
        guard part.hasPrefix(":") || part.hasPrefix("*") else {
          paths = paths.map { "\($0)/\(part)" }
          continue
        }
        guard let values = values(of: String(part.dropFirst()), in: pattern, of: site) else {
          Issue.record("\(pattern): does \(part) lead to a report?")
          paths = []
          break
        }
        paths = paths.flatMap { path in values.map { "\(path)/\($0)" } }
      }
      all += paths.map { (pattern, $0.isEmpty ? "/" : $0) }
    }
    return all
  }

  /// Fields of queries that belong to a hidden part, and two that don't.
  private static let fields = [
    "user", "install", "tag.session", "tag.comment", "tag.stderr", "property.email", "tag.email",
    "attachment", "tag.locale", "os",
  ]

  /// Parameters that make an answer longer, which routes ignore unless they are theirs.
  private static let longer =
    "full=1&compare=1&include_report=true&include_stacktrace=true&start=2020-01-01&$top=100"
    + "&errorType=all&error_type=CrashingErrors&period=day"

  /// Queries for routes that declare none. None has a word.
  private static let variants =
    [
      "", longer, longer + "&format=txt&part=stack", longer + "&format=json", "sort=userId",
      "q=app:Tern&query=app:Tern", "status=all&q=has",
      "q=app:Tern%20-user:nobody&where=-user:nobody", "$filter=userId%20ne%20'nobody'",
    ]

  /// Queries for routes of the API, which refuse parameters that they do not declare.
  private static let declaredVariants =
    [
      "", "source=5", "limit=100", "query=app:Tern", "query=-user:nobody", "app=Tern",
      "version=1.2&app=Tern", "from=2020-01-01&to=2027-01-01", "distinct=true",
    ] + fields.map { "by=" + $0 }

  /// The paths with their queries.
  private func questions(of site: Site) -> [String] {
    var questions: [String] = []
    for (pattern, path) in paths(of: site) {
      var variants = Self.variants
      if let route = APIRoute.all.first(where: { $0.method == "GET" && $0.pattern == pattern }) {
        variants = Self.declaredVariants.filter { variant in
          variant.split(separator: "&").allSatisfy { item in
            route.query.contains { item.hasPrefix($0.name + "=") }
          }
        }
      }
      if pattern == "/complete" {
        variants += (Self.fields.map { $0 + ":" } + ["tag.", "property."]).map { "word=" + $0 }
      }
      if pattern == "/reports/:id" || pattern.hasSuffix("/explain") {
        variants += (site.reports + [site.group]).map { "against=" + $0 }
      }
      questions += variants.map { $0.isEmpty ? path : path + "?" + $0 }
    }
    return questions
  }

  /// Calls of every tool of the Model Context Protocol.
  private func calls(of site: Site, condition: String? = nil) throws -> [String] {
    var calls: [String] = []
    for tool in ModelContextTool.all {
      var arguments: [[String: String]] = [[:]]
      for member in tool.input where member.isRequired {
        switch member.name {
        case "id": arguments = ([site.group] + site.reports).map { ["id": "\"\($0)\""] }
        case "app": arguments = [["app": "\"Tern\""]]
        case "offsets": arguments = arguments.map { $0.merging(["offsets": "[\"0x10\"]"]) { $1 } }
        default: Issue.record("\(tool.name): does \(member.name) lead to a report?")
        }
      }
      if let condition {
        guard tool.input.contains(where: { $0.name == "query" }) else { continue }
        arguments = arguments.map { $0.merging(["query": "\"\(condition)\""]) { $1 } }
      }
      calls += arguments.map { arguments in
        let members = arguments.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",")
        return """
          {"jsonrpc":"2.0","id":1,"method":"tools/call","params":\
          {"name":"\(tool.name)","arguments":{\(members)}}}
          """
      }
    }
    return calls
  }

  private func words(in text: String) -> Set<Word> {
    let bytes = Array(text.utf8)
    var found: Set<Word> = []
    bytes.withUnsafeBytes { buffer in
      guard let start = buffer.baseAddress else { return }
      // All words begin with this letter.
      var rest = 0
      while let next = memchr(start + rest, 0x71, buffer.count - rest) {
        let offset = UnsafeRawPointer(next) - start
        for word in Word.allCases
        where buffer[offset...].starts(with: Array(word.rawValue.utf8)) { found.insert(word) }
        rest = offset + 1
      }
    }
    return found
  }

  /// The words that an asker finds anywhere.
  private func found(by asker: Asker, in site: Site) throws -> [Word: String] {
    var found: [Word: String] = [:]
    func look(_ question: String, _ answer: (status: Int, text: String)) {
      // A redirection to the page for signing in has the path that was asked for.
      for word in words(in: answer.text) where !question.contains(word.rawValue) {
        found[word] = found[word] ?? question
      }
    }
    for question in questions(of: site) {
      look(question, site.answer(question, cookie: asker.cookie, token: asker.token))
    }
    for call in try calls(of: site) {
      look(
        call,
        site.answer("/mcp", cookie: nil, token: asker.token, "POST", body: call))
    }
    return found
  }

  // MARK: What is shown

  @Test("No answer to a viewer has a word of a hidden part, and admins find every word")
  func everyRoute() throws {
    let site = try makeSite()
    let viewer = try account(.viewer, of: site)
    let seen = try found(by: viewer, in: site)
    #expect(seen == [:])
    let admin = try account(.admin, of: site, scopes: [.admin])
    #expect(try Set(found(by: admin, in: site).keys) == Set(Word.allCases))
  }

  @Test("Tokens without an account see what a role with their scopes sees, of one app or all")
  func tokens() throws {
    let site = try makeSite()
    for app in [nil, "Tern"] {
      let scopes: Set<TokenScope> = [.read, .symbols, .releases, .ingest]
      let seen = try found(by: token(scopes, app: app, of: site), in: site)
      #expect(seen == [:])
    }
    #expect(
      try Set(found(by: token([.read, .triage], of: site), in: site).keys) == Set(Word.allCases))
  }

  @Test("Each role finds what is not hidden from it: the default is everything")
  func roles() throws {
    let site = try makeSite(protected: false)
    let viewer = try account(.viewer, of: site)
    #expect(try Set(found(by: viewer, in: site).keys) == Set(Word.allCases))
    var protection = ReportProtection()
    protection[.user] = .admin
    try site.context.store.apps.setProtection(protection, of: "Tern")
    // The submission contains the user.
    let hidden: Set<Word> = [
      .user, .install, .session, .comment, .fileName, .refusedFile, .file, .body,
    ]
    let triage = try account(.triage, of: site, scopes: [.read, .triage])
    for asker in [viewer, triage] {
      let seen = try Set(found(by: asker, in: site).keys)
      #expect(seen == Set(Word.allCases).subtracting(hidden), "\(asker.name)")
    }
    protection = ReportProtection()
    protection[.submission] = .triage
    try site.context.store.apps.setProtection(protection, of: "Tern")
    let files: Set<Word> = [.fileName, .refusedFile, .file, .body]
    #expect(
      try Set(found(by: viewer, in: site).keys) == Set(Word.allCases).subtracting(files))
    #expect(try Set(found(by: triage, in: site).keys) == Set(Word.allCases))
  }

  // MARK: What is found

  /// Conditions that only a report with the word meets.
  private static func conditions(for word: String, _ kind: Word) -> [String] {
    switch kind {
    case .user: ["user:\(word)", "user:*\(word)*", "-user:\(word)", word]
    case .install: ["install:\(word)", word]
    case .session: ["tag.session:\(word)", "-tag.session:\(word)"]
    case .comment: ["tag.comment:\(word)"]
    case .mail: ["property.email:*\(word)*", "tag.email:*\(word)*", "tag.Email:*\(word)*"]
    case .log: ["tag.stderr:*\(word)*"]
    case .fileName: ["attachment:\(word).txt", "attachment:*\(word)*"]
    case .body: [word]
    case .event, .eventValue, .refusedFile, .file: []
    }
  }

  /// The query strings of a route that search by a condition on a word; none if it does not search.
  private func searches(
    _ pattern: String, _ condition: String, _ word: String, of site: Site
  ) -> [String] {
    let condition = condition.inAddress
    guard let route = APIRoute.all.first(where: { $0.method == "GET" && $0.pattern == pattern })
    else {
      // Each route takes what it knows.
      let names = ["q", "where", "word", "group_text_search"]
      return [
        names.map { "\($0)=\(condition)" }.joined(separator: "&"),
        "$filter=userId%20eq%20'\(word)'",
      ]
    }
    guard route.query.contains(where: { $0.name == "query" }) else { return [] }
    let wanted = [
      "by": "os", "groups": site.group, "from": "2020-01-01", "to": "2027-01-01", "number": "1",
    ]
    let others = route.query.filter { $0.isRequired && $0.name != "query" }.map { parameter in
      "\(parameter.name)=\(wanted[parameter.name] ?? "Tern")"
    }
    return [(["query=" + condition] + others).joined(separator: "&")]
  }

  @Test("No question of a viewer is answered differently if a guess is right")
  func guesses() throws {
    let site = try makeSite()
    let viewer = try account(.viewer, of: site)
    let admin = try account(.admin, of: site, scopes: [.admin])
    var differing: Set<String> = []
    let guess = "qzxnothingqzx"
    var seen: Set<String> = []
    for (pattern, path) in paths(of: site) where seen.insert(pattern).inserted {
      func ask(_ asker: Asker, _ query: String, _ word: String) -> String {
        site.answer(path + "?" + query, cookie: asker.cookie, token: asker.token).text
          .replacing(word, with: "…").split(separator: "nonce")
          // A new number each time.
          .map { $0.drop { $0.isHexDigit || "-=\"".contains($0) } }.joined(separator: "nonce")
      }
      func searches(_ condition: String, _ word: String) -> [String] {
        self.searches(pattern, condition, word, of: site)
      }
      // Whether the route searches at all.
      let probes = ["app:Tern", "app:Nope", "user:"].map { probe in
        searches(probe, "").map { ask(admin, $0, probe.inAddress).replacing(probe, with: "…") }
      }
      let filters = ["nobody", Word.user.rawValue].map { word in
        searches("app:Tern", word).map { ask(admin, $0, word) }
      }
      guard Set(probes).count > 1 || Set(filters).count > 1 else { continue }
      for kind in Word.allCases {
        let pairs = zip(
          Self.conditions(for: kind.rawValue, kind), Self.conditions(for: guess, kind))
        for (right, wrong) in pairs {
          for (one, other) in zip(searches(right, kind.rawValue), searches(wrong, guess)) {
            #expect(
              ask(viewer, one, kind.rawValue) == ask(viewer, other, guess), "\(path)?\(one)")
            if ask(admin, one, kind.rawValue) != ask(admin, other, guess) {
              differing.insert(pattern)
            }
          }
        }
      }
    }
    // Routes that an admin searches by these fields: the comparison above is about something.
    let searching: Set = [
      "/", "/reports", "/groups/:id/reports", "/complete", "/api/v1/groups", "/api/v1/reports",
      "/api/v1/groups/counts", "/api/v1/reports/counts", "/api/v1/reports/trend",
      "/v0.1/apps/:owner/:app/errors/search",
    ]
    #expect(searching.subtracting(differing).isEmpty, "\(searching.subtracting(differing))")
  }

  @Test("Tools refuse a query by a hidden field, right or wrong")
  func tools() throws {
    let site = try makeSite()
    let viewer = try account(.viewer, of: site)
    for kind in [Word.user, .install, .session, .mail, .log, .fileName] {
      for condition in Self.conditions(for: kind.rawValue, kind) where condition.contains(":") {
        for call in try calls(of: site, condition: condition) {
          let answer = site.answer("/mcp", cookie: nil, token: viewer.token, "POST", body: call)
          #expect(
            answer.text.contains("hidden from your role") || answer.text.contains("no tool"),
            "\(call): \(answer.text)")
        }
      }
    }
  }

  @Test("What is refused says so with 403, and other apps are not concerned")
  func refusals() throws {
    let site = try makeSite()
    let viewer = try account(.viewer, of: site)
    func ask(_ path: String) -> (status: Int, text: String) {
      site.answer(path, cookie: viewer.cookie, token: viewer.token)
    }
    let report = site.reports[0]
    let file = Word.fileName.rawValue + ".txt"
    for path in [
      "/api/v1/reports/\(report)/raw", "/api/v1/reports/\(report)/archive",
      "/api/v1/reports/\(report)/attachments/\(file)", "/api/v1/reports?query=user:x",
      "/api/v1/groups?query=install:x", "/api/v1/reports/counts?by=user",
      "/api/v1/reports/trend?query=user:x", "/reports/\(report)/raw", "/reports/\(report)/archive",
      "/reports/\(report)/attachments/\(file)", "/reports?q=user:x",
      "/v0.1/apps/acme/Tern/errors/search?sort=userId",
      "/v0.1/apps/acme/Tern/errors/\(report)/attachments",
      "/v0.1/apps/acme/Tern/errors/\(report)/sessionLogs",
    ] {
      let answer = ask(path)
      #expect(answer.status == 403, "\(path): \(answer.status)")
      #expect(answer.text.contains("hidden from your role in Tern"), "\(path): \(answer.text)")
    }
    for page in ["/", "/reports", "/groups/\(site.group)/reports"] {
      let answer = ask(page + "?q=user:x")
      #expect(answer.status == 403 && answer.text.contains("value=\"user:x\""), "\(page)")
      #expect(answer.text.contains("hidden from your role in Tern"), "\(page)")
    }
    #expect(ask("/api/v1/reports/counts?by=user").text.contains("\"code\":\"forbidden\""))
    // Only the protected app is concerned.
    let found = ask("/api/v1/reports?query=app:Heron%20user:heronuser")
    #expect(found.status == 200 && found.text.contains("\"total\":1"), "\(found.text)")
    #expect(ask("/api/v1/reports/counts?by=user&query=app:Heron").text.contains("heronuser"))
    #expect(ask("/api/v1/reports?query=-app:Tern%20user:heronuser").status == 200)
    #expect(ask("/api/v1/reports?query=app:T*%20user:x").status == 403)
    // What is shown names what is missing.
    let page = ask("/reports/" + report).text
    #expect(page.contains("hidden from your role") && !page.contains("Zip archive"))
    let document = ask("/api/v1/reports/" + report).text
    #expect(document.contains("\"withheld\":[\"user\",\"properties\",\"log\",\"submission\"]"))
    // Numbers stay.
    #expect(ask("/api/v1/groups?query=users:>=1").text.contains("\"installs\":1"))
  }

  @Test("A changed role counts at once, for pages and for tokens of the account")
  func changes() throws {
    let site = try makeSite()
    let viewer = try account(.viewer, of: site)
    // Not used before: a server remembers tokens for a few seconds.
    let account = Account(name: "viewer", role: .viewer, created: .now)
    let tokens = try (0..<3).map { _ in
      try site.context.tokens.make(label: "t", scopes: [.read], account: account, now: .now).text
    }
    let path = "/reports/\(site.reports[0])/raw"
    let steps: [(role: Account.Role, status: Int)] = [
      (.viewer, 403), (.triage, 200), (.viewer, 403),
    ]
    for ((role, status), token) in zip(steps, tokens) {
      _ = try site.context.accounts.setRole(role, of: "viewer")
      #expect(site.answer(path, cookie: viewer.cookie, token: nil).status == status, "\(role)")
      #expect(site.answer("/api/v1" + path, cookie: nil, token: token).status == status, "\(role)")
    }
  }

  @Test("A submission with reports of two apps is hidden if one of them hides its submissions")
  func sharedSubmission() throws {
    let site = try makeSite()
    let store = site.context.store
    let id = try add(
      StoredReports.report("shared"), body: Word.body.rawValue, files: [], app: "Heron", to: store)
    let viewer = try account(.viewer, of: site)
    for path in ["/reports/\(id)/raw", "/api/v1/reports/\(id)/archive"] {
      let answer = site.answer(path, cookie: viewer.cookie, token: viewer.token)
      #expect(answer.status == 403 && words(in: answer.text).isEmpty, "\(path)")
    }
  }

  @Test("A group is not split by a hidden field")
  func splits() throws {
    let site = try makeSite()
    var protection = ReportProtection()
    protection[.user] = .admin
    try site.context.store.apps.setProtection(protection, of: "Tern")
    let triage = try account(.triage, of: site, scopes: [.read, .triage])
    let body = "{\"where\":\"user:\(Word.user.rawValue)\"}"
    let answer = site.answer(
      "/api/v1/groups/\(site.group)/split", cookie: nil, token: triage.token, "POST", body: body)
    #expect(answer.status == 403 && answer.text.contains("hidden from your role"), "\(answer.text)")
  }

  @Test("The page of an app sets who sees what, for admins only")
  func form() throws {
    let site = try makeSite(protected: false)
    let admin = site.visit.another()
    try admin.signIn("root", .admin)
    #expect(admin.get("/apps/Tern").text.contains("name=\"submission\""))
    let fields = [
      ("user", "triage"), ("properties", "viewer"), ("log", "viewer"), ("submission", "viewer"),
    ]
    let sent = try admin.send("/apps/Tern/protection", from: "/apps/Tern", fields)
    #expect(sent.status == 303)
    let protection = try #require(
      try site.context.store.apps.list().first { $0.name == "Tern" }?.protection)
    #expect(protection[.user] == .triage && protection[.log] == .viewer)
    #expect(protection.leastReader(of: .submission) == .triage)
    // A form that lacks a field changes nothing.
    let cut = try admin.send("/apps/Tern/protection", from: "/apps/Tern", [("user", "viewer")])
    #expect(cut.status == 400)
    #expect(try site.context.store.apps.protections()["Tern"] == protection)
    let triage = site.visit.another()
    try triage.signIn("tri", .triage)
    #expect(triage.get("/apps/Tern").text.contains("name=\"submission\" disabled"))
    #expect(try triage.send("/apps/Tern/protection", from: "/apps/Tern", fields).status == 403)
  }
}
