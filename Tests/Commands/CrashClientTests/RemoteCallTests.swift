import Arguments
import Bytes
import CrashModel
import CrashStore
import Identifiers
import Query
import ReportDocument
import ServerStore
import TestSupport
import Testing
import TriageModel
import Updates

@testable import CrashClient
@testable import CrashService
@testable import HTTPClient

/// Every call of a client: path, query and body are those that the API declares, or the program stops.
@Suite("Calls of the client")
struct RemoteCallTests {
  private let service: RemoteService

  init() throws {
    var plan = RetryPlan()
    plan.tries = 1
    // Nothing listens there: a call ends after its request was made up.
    service = RemoteService(
      try ServerAddress("http://127.0.0.1:1", option: "--server"), token: "t",
      sender: try WebSender(agent: "test", plan: plan))
  }

  private func call<Value>(_ name: String, _ body: (RemoteService) throws -> Value) {
    let error = #expect(throws: ServiceError.self, "\(name)") { _ = try body(service) }
    #expect(error?.kind == .unreachable, "\(name)")
  }

  @Test("Questions about groups and reports")
  func groups() throws {
    let query = try Query("is:open", now: .now)
    let field = try #require(QueryField(named: "os"))
    call("groups") { try $0.groups(GroupQuery(query)) }
    call("reports") { try $0.reports(ReportQuery(query)) }
    for countsGroups in [true, false] {
      call("histogram") {
        try $0.histogram(
          of: query, by: field, countsGroups: countsGroups, limit: 3)
      }
    }
    call("trend") { try $0.trend(of: query, from: .now, through: .now) }
    call("daily") { try $0.dailyReports(of: query, inGroups: ["T-1"], days: 1..<3) }
    call("group") { try $0.group("T-1", sourceLines: 3) }
    call("report") { try $0.report("aa", sourceLines: 3) }
    call("submission") { try $0.submission(ofReport: "aa") }
    call("versions") { try $0.versions(ofReport: "aa") }
    call("document") { try $0.document(ofReport: "aa", version: nil) }
    call("version") { try $0.document(ofReport: "aa", version: 2) }
    call("archive") { try $0.archive(ofReport: "aa") }
    call("membership") { try $0.membership(ofReport: "aa") }
    call("keys") { try $0.keys(ofGroup: "T-1") }
    call("variants") { try $0.variants(ofGroup: "T-1") }
    call("related") { try $0.related(toGroup: "T-1", includesDistinct: true) }
    call("related") { try $0.related(toReport: "aa") }
    call("regressions") {
      var query = RegressionQuery()
      (query.since, query.release, query.group) = (.now, Release("1"), "T-1")
      return try $0.regressions(of: "Tern", query)
    }
    call("correlations") {
      try $0.correlations(
        ofGroup: "T-1", among: query, by: [field])
    }
    let decisions: [GroupDecision] = [
      .resolve(.next), .reopen, .ignore(IgnoreCondition(users: 1)), .assign("a", isKnown: true),
      .note("x"),
      .merge(into: "T-2"), .unmerge, .split(keys: ["0"]), .splitWhere("os:x"),
      .distinct(from: "T-2", isUndone: true), .undo(line: 1),
    ]
    for decision in decisions {
      call("\(decision)") { try $0.decide(decision, about: ["T-1"], by: "") }
    }
  }

  @Test("Apps, their releases, and debug files")
  func apps() {
    call("apps") { try $0.apps() }
    call("add") { try $0.addApp("Tern", secret: "s") }
    call("adopt") { try $0.adoptApp(secret: "s", as: "Tern") }
    call("rename") { try $0.renameApp("Tern", to: "Heron") }
    call("prefix") { try $0.setPrefix("T", of: "Tern") }
    call("linking") { try $0.setLinking(.standard, of: "Tern") }
    call("retention") { try $0.setRetention(Retention(days: 1), of: "Tern") }
    call("known fix") { try $0.setKnownFixPolicy(.off, of: "Tern", by: "") }
    call("releases") { try $0.releases(of: "Tern") }
    let release = Release("1.5.0")
    call("add releases") { try $0.addReleases([release], to: "Tern") }
    call("remove releases") { try $0.removeReleases([release], of: "Tern") }
    call("order releases") { try $0.orderReleases([], of: "Tern") }
    call("figures") { try $0.figures(of: release, app: "Tern", days: 3) }
    call("rollouts") { try $0.rollouts(of: release, app: "Tern") }
    call("roll out") { try $0.rollOut(release, app: "Tern", .share(3), by: "") }
    call("debug files") { try $0.debugFiles() }
    call("debug files") { try $0.debugFiles(of: "aa", architecture: "arm64") }
    call("missing") { try $0.missingImages(of: nil, app: "Tern", limit: 3) }
    call("stats") { try $0.stats(of: "Tern") }
    call("ledger") { try $0.ledger(of: "Tern") }
    call("crash free") { try $0.crashFree(of: "Tern", from: .now, to: .now, version: "1") }
  }

  @Test("Release files and their recipients")
  func releaseFiles() {
    let folder = ScratchFolder()
    let file = folder.write("a.apk", [1])
    let release = Release("1.5.0")
    let audience = ArtefactAudience(groups: ["beta"])
    call("files") { try $0.artefacts(of: "Tern", release: release) }
    call("add") {
      try $0.addArtefact(file, named: "a.apk", release: release, to: "Tern", by: "")
    }
    call("edit") {
      try $0.editArtefact(1, of: "Tern", CrashStore.Distribution.Edit(notes: "n"), by: "")
    }
    call("publish") { try $0.publishArtefact(1, of: "Tern", to: audience, by: "") }
    call("withdraw") { try $0.withdrawArtefact(1, of: "Tern", from: audience, by: "") }
    call("missing") { try $0.binariesWithoutDebugFile(inArtefact: 1, of: "Tern") }
    call("warnings") { try $0.releaseWarnings(of: "Tern", release: release) }
    call("remove") { try $0.removeArtefact(1, of: "Tern", by: "") }
    call("history") { try $0.distributionHistory(of: "Tern", release: release) }
    call("groups") { try $0.distributionGroups(of: "Tern") }
    call("add group") {
      try $0.addDistributionGroup("beta", isPublic: true, to: "Tern", by: "")
    }
    call("edit group") {
      try $0.editDistributionGroup("beta", of: "Tern", name: "b", isPublic: true, by: "")
    }
    call("remove group") { try $0.removeDistributionGroup("beta", of: "Tern", by: "") }
    call("testers") { try $0.testers(of: "Tern") }
    call("invite") { try $0.inviteTester("a@b", to: "beta", of: "Tern", by: "", mails: true) }
    call("resend") { try $0.resendInvitation("a@b", of: "Tern", by: "", mails: false) }
    call("mails") { try $0.testerMails(of: "Tern") }
    call("remove tester") { try $0.removeTester("a@b", from: "beta", of: "Tern", by: "") }
    call("revoke tester") {
      try $0.revokeTester("a@b", of: "Tern", by: "", onlyInvitations: true)
    }
  }

  @Test("Updates, tokens, and the quarantine")
  func server() throws {
    let change = ConfigurationChange(app: "Tern", author: "", note: "n", followsReleases: true)
    var edit = RemoteConfigurationEdit()
    edit.kind = .ignore
    let document = try RemoteConfiguration(
      Array(
        #"{"appUpdate":{"url":"itms-apps://apps.apple.com/app/id1","availableVersion":"1"}}"#.utf8))
    call("configurations") { try $0.remoteConfigurations(of: "Tern") }
    call("configuration") { try $0.remoteConfiguration(nil, of: "Tern") }
    call("configuration") { try $0.remoteConfiguration(1, of: "Tern") }
    call("publish") { try $0.publish(document, change) }
    call("edit") { try $0.edit(edit, change) }
    call("roll back") { try $0.rollBack(to: 1, change) }
    call("settings") { try $0.updateSettings(of: "Tern") }
    call("set") { try $0.set(.storeID, to: "1", of: "Tern", by: "") }
    call("quarantined") { try $0.quarantined() }
    call("quarantined") { try $0.quarantined(1) }
    call("body") { try $0.body(ofQuarantined: 1) }
    call("retry") { try $0.retryQuarantined(nil) }
    call("retry") { try $0.retryQuarantined([1]) }
    call("discard") { try $0.discardQuarantined([1]) }
    call("tokens") { try $0.tokens() }
    call("token") { try $0.makeToken(label: "x", scopes: [.read], app: "Tern", for: nil) }
    call("revoke") { try $0.revokeToken("ab") }
    call("accounts") { try $0.accounts() }
    call("account") {
      try $0.addAccount("ann", role: .viewer, app: "Tern", claimability: .byName)
    }
    call("link") { try $0.makeSignInLink(forAccount: "ann") }
    call("role") { try $0.setRole(.triage, ofAccount: "ann") }
    call("remove account") { try $0.removeAccount("ann") }
    call("rules") { try $0.alertRules() }
    call("targets") { try $0.alertTargets() }
    var fields = AlertRuleFields()
    (fields.kind, fields.target, fields.app, fields.query) = ("spike", "t", "Tern", "version:1")
    (fields.digest, fields.quiet, fields.zone) = ("09:00", "22:00-07:00", "+01:00")
    (fields.window, fields.least, fields.factor) = ("1h", "10", "3")
    (fields.below, fields.basis) = ("99", "app")
    call("rule") { try $0.addAlertRule(fields, by: "") }
    call("remove rule") { try $0.removeAlertRule(1) }
    let hook = AlertTarget.Webhook(url: "https://a", preset: .slack, secret: nil)
    call("target") {
      try $0.setAlertTarget(AlertTarget(name: "t", way: .webhook(hook)), isForTesters: false)
    }
    call("remove target") { try $0.removeAlertTarget("t") }
    call("test") { try $0.testAlertTarget("t") }
    call("log") { try $0.alertLog(5) }
    call("erase") { try $0.erase(.user("jo"), isDry: true) }
  }
}
