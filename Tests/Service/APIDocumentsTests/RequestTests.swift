import Bytes
import CrashModel
import CrashStore
import Documents
import HTTP
import Identifiers
import JSON
import ServerStore
import Testing
import TriageModel
import Updates

@testable import APIDocuments
@testable import CrashService

/// The bodies of requests, written by the client and read by the server.
@Suite("Declarations of requests")
struct RequestTests {
  private static func request(_ body: String) -> Request {
    Request(
      "POST", "/", headers: ["Content-Type": "application/json"], body: Array(body.utf8))
  }

  private static func written<Value>(_ value: Value, as type: DocumentType<Value>) -> String {
    var writer = JSONWriter()
    type.write(value, to: &writer)
    return String(decoding: writer.takeBytes(), as: UTF8.self)
  }

  /// - Parameter value: With every member set.
  private static func check<Value: Equatable>(
    _ value: Value, as type: DocumentType<Value>, hasAll: Bool = true
  ) throws {
    let text = written(value, as: type)
    let members = try #require(JSONDocument.parse(ByteView(text.utf8)).value.object)
    if hasAll {
      #expect(members.map(\.key) == type.schemaMembers.map(\.name), "\(Value.self)")
    }
    #expect(try InputDocument.read(request(text), as: type) == value, "\(Value.self)")
    // What the schema forbids is refused.
    for member in type.schemaMembers {
      guard case .text(_, _, .some) = member.schema,
        let place = members.firstIndex(where: { $0.key == member.name })
      else { continue }
      var emptied = members
      emptied[place].value = .string("")
      var writer = JSONWriter()
      writer.value(.object(emptied))
      let body = String(decoding: writer.takeBytes(), as: UTF8.self)
      #expect(throws: (any Error).self, "\(Value.self) with an empty \(member.name)") {
        try InputDocument.read(request(body), as: type)
      }
    }
  }

  private static func check<Value: Documented & Equatable>(
    _ value: Value, hasAll: Bool = true
  ) throws {
    try check(value, as: Value.declaration, hasAll: hasAll)
  }

  @Test("What a client writes is what the server reads")
  func roundTrips() throws {
    try Self.check(NewApp(name: "Tern", secret: "s"))
    try Self.check(NewApp(name: "Tern", secret: nil), hasAll: false)
    try Self.check(SecretAdoption(secret: "s", name: "Tern"))
    try Self.check(AppRenaming(name: "Tern", newName: "Heron"))
    try Self.check(AppPrefix(name: "Tern", prefix: "T"))
    for policy in ["on", "off", "0.70"].compactMap({ LinkPolicy($0) }) {
      try Self.check(AppLinking(name: "Tern", policy: policy))
    }
    for policy in KnownFixPolicy.allCases {
      try Self.check(AppKnownFixes(name: "Tern", policy: policy))
    }
    try Self.check(
      AppRetention(
        name: "Tern", retention: Retention(days: 1, bytes: 2, perGroup: 3, perDay: 0)))
    var protection = ReportProtection()
    for part in ReportProtection.Part.allCases { protection[part] = .admin }
    try Self.check(AppProtection(name: "Tern", protection: protection))
    try Self.check(AppProtection(name: "Tern", protection: ReportProtection()), hasAll: false)
    let releases = [Release("1.5.0 (600)"), Release("2")]
    try Self.check(NamedReleases(app: "Tern", releases: releases))
    try Self.check(NamedReleases(app: "Tern", releases: []), as: NamedReleases.order)
    for change in [RolloutChange.share(0), .share(100), .pause, .resume, .look] {
      let request = RolloutRequest(release: Release("1.5.0"), app: "Tern", change)
      #expect(request.change == change)
      try Self.check(request, hasAll: false)
    }
    try Self.check(UpdateSettingChange(.storeURL, value: "https://example.org"))
    try Self.check(ErasureRequest(user: "u", install: nil, isDry: true), hasAll: false)
    try Self.check(ErasureRequest(.install("i"), isDry: false), hasAll: false)
    #expect(ErasureRequest(.install("i"), isDry: false).person == .install("i"))
    #expect(ErasureRequest(.user("u"), isDry: false).person == .user("u"))
    try Self.check(
      AccountRequest(name: "ann", role: .triage, app: "Tern", isFromProvider: true))
    try Self.check(RoleRequest(role: .admin))
    try Self.check(CommandSignInRequest(name: "laptop"))
    try Self.check(CommandTokenRequest(deviceCode: "c"))
    let mail = AlertTarget.Mail(
      server: "smtps://a", sender: "a@b.c", recipients: ["d@e.f"], user: "u", password: "text:p",
      isPlain: true)
    for way in [
      AlertTarget.Way.mail(mail),
      .webhook(AlertTarget.Webhook(url: "https://a", preset: .teams, secret: "0123456789abcdef")),
    ] {
      let target = AlertTarget(name: "t", way: way)
      let request = try AlertTargetRequest(target, isForTesters: way == .mail(mail))
      try Self.check(request, hasAll: false)
      #expect(request.target == target)
    }
    for password in ["file:/etc/passwd", "env:PATH"] {
      var local = mail
      local.password = password
      #expect(throws: ServiceError.self) {
        try AlertTargetRequest(AlertTarget(name: "t", way: .mail(local)), isForTesters: false)
      }
    }
    try Self.check(KnownReports(digests: ["a"], app: "Tern"))
    try Self.check(KnownDebugFiles(digests: ["a"], app: "Tern", version: "1"))
    var upload = NewUpload(size: 1, digest: "a", kind: .symbols, name: "n", app: "Tern")
    (upload.version, upload.bundle) = ("1", "2")
    try Self.check(upload)
    let token = TokenRequest(
      label: "CI", scopes: [.read, .ingest], app: "Tern", length: TimeLength(argument: "30d"))
    let text = Self.written(token, as: TokenRequest.declaration)
    let read = try TokenRequest(Self.request(text))
    #expect(
      text == #"{"label":"CI","scopes":["ingest","read"],"app":"Tern","for":"30d"}"#)
    #expect(read.scopes == token.scopes && read.length?.seconds == 30 * 86_400)
  }

  @Test("What a client writes about releases is what the server reads")
  func releaseRoundTrips() throws {
    let audience = ArtefactAudience(
      groups: ["beta"], testers: ["a@b"], isMandatory: true, isNotified: true)
    let edit = CrashStore.Distribution.Edit(
      notes: "", isEnabled: false, edSignature: "", dsaSignature: "x")
    try Self.check(ArtefactEdit(app: "Tern", number: 1, edit: edit))
    try Self.check(ArtefactPublication(app: "Tern", number: 1, audience: audience))
    // Servers of version 0.1.0 refuse members that they do not know.
    let quiet = ArtefactPublication(
      app: "T", number: 1, audience: ArtefactAudience(groups: ["b"]))
    #expect(
      Self.written(quiet, as: ArtefactPublication.declaration)
        == #"{"app":"T","number":1,"groups":["b"],"testers":[],"mandatory":false}"#)
    let all = TesterRevocation(app: "T", email: "a@b")
    #expect(
      Self.written(all, as: TesterRevocation.declaration) == #"{"app":"T","email":"a@b"}"#)
    let others = ArtefactAudience(groups: ["beta"], testers: ["a@b"])
    try Self.check(ArtefactWithdrawal(app: "Tern", number: 1, audience: others))
    try Self.check(ArtefactRemoval(app: "Tern", number: 1))
    try Self.check(NewDistributionGroup(app: "Tern", name: "beta", isPublic: true))
    try Self.check(
      DistributionGroupEdit(app: "Tern", name: "beta", newName: "b", isPublic: false))
    try Self.check(DistributionGroupRemoval(app: "Tern", name: "beta"))
    try Self.check(TesterInvitation(app: "Tern", email: "a@b", group: "beta", mails: false))
    try Self.check(InvitationResending(app: "Tern", email: "a@b", mails: true))
    try Self.check(TesterRemoval(app: "Tern", email: "a@b", group: "beta"))
    try Self.check(TesterRevocation(app: "Tern", email: "a@b", onlyInvitations: true))
    try Self.check(ConfigurationPublication(text: "{}", followsReleases: true, note: "n"))
    try Self.check(ConfigurationRollback(number: 1, note: "n"))
    var change = RemoteConfigurationEdit()
    (change.kind, change.frequency) = (.recommended, .always)
    (change.availableVersion, change.url) = ("1.5.0", "https://example.org")
    (change.ignoredOSVersions, change.removedAlerts) = ([], ["*"])
    change.alerts = [
      RemoteConfiguration.Alert(
        language: "de", region: "DE", title: "t", text: "x",
        options: [RemoteConfiguration.Alert.Option("Update")])
    ]
    try Self.check(ConfigurationEdit(edit: change, followsReleases: false, note: "n"))
  }

  private static let decisions: [(GroupDecision, String)] = [
    (.resolve(.afterNewestSeen), #"{"groups":["T-1"]}"#),
    (.resolve(.next), #"{"groups":["T-1"],"next":true}"#),
    (.resolve(.inRelease(Release("1 (2)"))), #"{"groups":["T-1"],"in":"1 (2)"}"#),
    (.reopen, #"{"groups":["T-1"]}"#),
    (
      .ignore(IgnoreCondition(reports: 1, users: 2, until: Timestamp("2026-03-01T12:30:00Z"))),
      #"{"groups":["T-1"],"until":1,"users":2,"time":"2026-03-01T12:30:00Z"}"#
    ),
    (.assign(nil, isKnown: false), #"{"groups":["T-1"]}"#),
    (.assign("bob", isKnown: false), #"{"groups":["T-1"],"to":"bob"}"#),
    (.assign("bob", isKnown: true), #"{"groups":["T-1"],"to":"bob","known":true}"#),
    (.note("x"), #"{"groups":["T-1"],"text":"x"}"#),
    (.merge(into: "T-2"), #"{"groups":["T-1"],"into":"T-2"}"#),
    (.unmerge, #"{"groups":["T-1"]}"#),
    (.split(keys: ["0f"]), #"{"groups":["T-1"],"keys":["0f"]}"#),
    (.splitWhere("is:open"), #"{"groups":["T-1"],"where":"is:open"}"#),
    (.distinct(from: "T-2", isUndone: false), #"{"groups":["T-1"],"from":"T-2"}"#),
    (.distinct(from: "T-2", isUndone: true), #"{"groups":["T-1"],"from":"T-2","undo":true}"#),
    (.undo(line: nil), #"{"groups":["T-1"]}"#), (.undo(line: 3), #"{"groups":["T-1"],"line":3}"#),
  ]

  @Test("A decision reads back as the same decision")
  func readsDecisions() throws {
    for (decision, text) in Self.decisions {
      let type = DecisionRequest.several(decision.action)
      let written = Self.written(DecisionRequest(decision, about: ["T-1"]), as: type)
      #expect(written == text)
      let read = try InputDocument.read(Self.request(text), as: type)
      #expect(try "\(read.decision(decision.action))" == "\(decision)")
      #expect(read.groups == ["T-1"])
    }
  }

  @Test(
    "An invalid body is refused with its member",
    arguments: [
      ("", "name, the name of an app, is missing", nil),
      ("[]", "the body is not a JSON object", nil),
      (#"{"name":"a""#, "the body is not a JSON object", nil),
      (#"{"name":"a","other":1}"#, "'other' is unknown; members are name, secret", "other"),
      (#"{"name":"a","name":"a"}"#, "a member appears twice", nil),
      (#"{"name":null}"#, "name is a text", "name"),
      (#"{"name":"a","secret":null}"#, "secret is a text", "secret"),
      (#"{"name":"a","secret":5}"#, "secret is a text", "secret"),
      (#"{"name":"a","secret":""}"#, "'secret' is empty", "secret"),
    ] as [(String, String, String?)])
  func refusals(body: String, words: String, member: String?) throws {
    let error = #expect(throws: HTTPError.self) { try NewApp(Self.request(body)) }
    guard case .problem(let problem)? = error else {
      Issue.record("\(body): \(String(describing: error))")
      return
    }
    #expect(problem.detail == words)
    #expect(problem.member == member)
    #expect(problem.code == .invalidDocument)
  }

  private static func refusal<Value: Documented>(of body: String, as type: Value.Type) -> String? {
    let error = #expect(throws: HTTPError.self) { try Value(Self.request(body)) }
    guard case .problem(let problem)? = error else { return nil }
    return problem.detail
  }

  @Test("Members that exclude or require each other are judged before those that are read last")
  func order() {
    let nobody = "at least one group or tester is required"
    let unnamed = "app and number, the number of the file, are required"
    for body in ["{}", #"{"app":5}"#, #"{"groups":[],"number":""}"#] {
      #expect(Self.refusal(of: body, as: ArtefactPublication.self) == nobody)
      #expect(Self.refusal(of: body, as: ArtefactWithdrawal.self) == nobody)
    }
    #expect(Self.refusal(of: #"{"groups":["a"]}"#, as: ArtefactPublication.self) == unnamed)
    #expect(
      Self.refusal(of: #"{"dry_run":5}"#, as: ErasureRequest.self)
        == "a JSON object with user or install is required")
    #expect(
      Self.refusal(of: #"{"user":"a","dry_run":5}"#, as: ErasureRequest.self)
        == "dry_run is true or false")
    #expect(
      Self.refusal(of: #"{"version":"1","app":5}"#, as: RolloutRequest.self)
        == "either percent or action (pause, resume or check) is required")
    #expect(
      Self.refusal(of: #"{"version":"1","percent":101}"#, as: RolloutRequest.self)
        == "percent must be 0 to 100")
  }

  @Test("A body without a declared member says that none is expected")
  func nothing() throws {
    let type = DecisionRequest.one(.reopen)
    #expect(throws: HTTPError.self) {
      try InputDocument.read(Self.request(#"{"a":1}"#), as: type)
    }
    #expect(try InputDocument.read(Self.request("{}"), as: type).groups == nil)
  }
}
