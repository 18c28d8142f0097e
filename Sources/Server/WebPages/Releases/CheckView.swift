internal import Bytes
internal import CrashService
internal import CrashStore
internal import HTTP
internal import Identifiers
internal import Rendering
internal import ServerCore
internal import Updates

/// Explains the offer to a client of App Center's SDKs that checks for an update.
struct CheckView {
  let call: PageCall

  init(_ call: PageCall) { self.call = call }

  static func path(_ app: String) -> String { AppsView.path(app) + "/check" }

  private var app: String { call.parameter("app") }

  func response() throws -> Response {
    let (files, testers) = (
      try call.service.artefacts(of: app, release: nil), try call.service.testers(of: app)
    )
    let groups = try call.service.distributionGroups(of: app).filter(\.isPublic)
    let found = Set(files.map(\.platform)).intersection(CheckQuestion.platforms)
    let asked = text("platform").flatMap(ArtefactPlatform.init(rawValue:))
    let platform = asked ?? (found.count == 1 ? found.first : nil)
    var result: HTML = .none
    var status = Status.ok
    if let platform, CheckQuestion.platforms.contains(platform), !files.isEmpty {
      do {
        result = Self.result(try call.service.explainCheck(question(on: platform), of: app))
      } catch let error as ServiceError where error.kind == .wrongUsage {
        status = .badRequest
        result = "<p class=\"error\" role=\"alert\">\(error.message)</p>"
      }
    }
    if files.isEmpty {
      result = "<p class=\"empty\">\(app) has no release files yet.</p>"
    }
    var response = call.page(
      "Check for updates of \(app)", in: .apps,
      """
      <p class="quiet"><a href="\(AppsView.path(app))">\(app)</a></p>
      <h1>Check for updates</h1>
      <p class="quiet">What an installation with App Center's SDK is offered, and why. Nothing is changed or counted.</p>
      \(form(platform, testers, groups))
      \(result)
      """)
    response.status = status
    return response
  }

  /// A field of the query; `nil` if it is empty.
  private func text(_ name: String) -> String? {
    call.request.query[name].flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
  }

  private func question(on platform: ArtefactPlatform) -> CheckQuestion {
    CheckQuestion(
      platform: platform, installed: Release(text("version") ?? ""),
      hash: text("hash")?.lowercased(), system: text("system"), tester: text("tester"),
      group: text("group"), installation: text("install"))
  }

  private func form(
    _ platform: ArtefactPlatform?, _ testers: [Tester], _ groups: [DistributionGroup]
  ) -> HTML {
    func field(_ name: String, _ label: String, _ hint: String) -> HTML {
      """
      <label><span>\(label)</span><input name="\(name)" value="\(text(name) ?? "")" \
      placeholder="\(hint)" autocomplete="off"></label>
      """
    }
    func menu(_ name: String, _ label: String, _ all: String, _ values: [String]) -> HTML {
      let options = values.map { value -> HTML in
        let mark: HTML = text(name) == value ? " selected" : .none
        return "<option value=\"\(value)\"\(mark)>\(value)</option>"
      }
      return """
        <label><span>\(label)</span><select name="\(name)"><option value="">\(all)</option>\
        \(options)</select></label>
        """
    }
    let platforms = CheckQuestion.platforms.map { value -> HTML in
      let mark: HTML = value == platform ? " selected" : .none
      return "<option value=\"\(value.rawValue)\"\(mark)>\(value.rawValue)</option>"
    }
    let isAndroid = platform == .android
    return """
      <form class="card" action="\(Self.path(app))"><div class="fields">
      <label><span>Platform</span><select name="platform">\(platforms)</select></label>
      \(field("version", "Installed release", "1.4.2 (512)"))
      \(field("system", isAndroid ? "API level" : "System", isAndroid ? "33" : "17.2"))
      \(menu("tester", "Tester", "anyone", testers.map(\.email)))
      \(menu("group", "Public group", "all", groups.map(\.name)))
      \(field("install", "Installation", "its id, for roll-outs"))
      \(field("hash", "Hash of the build", "as its check sends it"))</div>
      <p class="actions"><button class="primary">Explain</button></p></form>
      """
  }

  private static func result(_ explanation: CheckExplanation) -> HTML {
    var table = CardTable([
      ("Release", .text), ("Number", .number), ("Verdict", .text), ("Why", .text),
    ])
    for file in explanation.files {
      table.add([
        "<a href=\"\(ReleasesView.path(explanation.app, file.release))\">\(file.release.name)</a>",
        "\(file.number)",
        file.verdict == .offered ? "<b>offered</b>" : "\(file.verdict.rawValue)", "\(file.reason)",
      ])
    }
    return """
      <section role="status" aria-label="Answer"><h2>Answer</h2><p><b>\(explanation.reason)</b></p></section>
      <section><h2>Files</h2>\(table.markup)</section>
      """
  }
}
