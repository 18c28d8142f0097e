internal import APIDocuments
internal import Bytes
internal import CrashService
internal import CrashStore
internal import Files
internal import HTTP
internal import Identifiers
internal import Rendering
internal import ServerCore
internal import ServerStore
internal import Updates

/// Adds a release from a browser: its file, its notes, and to whom it is published.
struct ReleaseUpload: Sendable {
  let context: ServerContext

  /// The maximum number of parts in the form: the file, and a field a group.
  private static let mostParts = 1_000

  static func path(_ app: String) -> String { AppsView.path(app) + "/upload" }

  func add(to router: inout Router, _ site: PageSite) {
    site.get("/apps/:app/upload", .releases, to: &router) { try Self.form($0) }
    var limits = MultipartLimits(body: APILimits.artefact, parts: Self.mostParts)
    limits.inMemory = .kibibytes(64)
    // Visitors without the right are refused before they send the file.
    router.add(
      "POST", "/apps/:app/upload", body: .multipart(limits), before: { try refusal(of: $0) },
      refusing: { PageRefusal.page($0, $1, in: context) }
    ) { try take($0) }
  }

  // MARK: The form

  private static func form(_ call: PageCall) throws -> Response {
    let app = call.parameter("app")
    let groups = try call.service.distributionGroups(of: app)
    let isMailing = try call.context.alerts.testerMailing() != nil
    let path = Self.path(app)
    let form =
      call.fields(ofRefused: path).map { PublicationForm($0.items.map { ($0.name, $0.value) }) }
      ?? PublicationForm()
    return call.page(
      "Add a release of \(app)", in: .releases,
      """
      <p class="quiet"><a href="\(AppsView.path(app))">\(app)</a></p>
      <h1>Add a release</h1>
      <form class="card drop" method="post" action="\(path)" enctype="multipart/form-data">\(call.formField)
      <p><label for="file">File: .ipa, .apk, .aab, .app.zip, .pkg, .dmg, .msi, .msix, .appx or .zip</label></p>
      <p><input id="file" type="file" name="file" required></p>
      <div class="fields"><label><span>Release, if the file does not say it</span>\
      <input name="version" value="\(call.typed("version", in: path))" placeholder="1.5.0 (600)" autocomplete="off"></label>
      <label><span>Percent of installations</span>\
      <input type="number" name="percent" value="\(call.typed("percent", in: path))" min="0" max="100" placeholder="100"></label></div>
      \(form.fields(groups, isMailing: isMailing))
      <p><button class="primary">Upload</button></p></form>
      """)
  }

  // MARK: The upload

  private func refusal(of head: RequestHead) throws -> Response? {
    guard let visitor = try Visitor(head, in: context) else {
      return SignInPages.redirect(toFormOf: head)
    }
    guard !head.isForeign else { return Self.foreign(visitor) }
    guard visitor.account.allows(.releases) else {
      return PageDocument.problem(
        "Not allowed", "Your role, \(visitor.account.role.rawValue), does not allow this.",
        .forbidden, for: visitor
      ).response
    }
    return StorageFailureResponse.refusal(of: head, in: context)
  }

  private static func foreign(_ visitor: Visitor) -> Response {
    PageDocument.problem(
      "Form refused", "Go back, reload the page, and try again.", .forbidden, for: visitor
    ).response
  }

  private func take(_ request: Request) throws -> Response {
    guard let visitor = try Visitor(request.head, in: context) else {
      return SignInPages.redirect(toFormOf: request.head)
    }
    let fields = try request.parts.filter { $0.name != "file" && $0.count <= 65_536 }.map {
      (name: $0.name, value: try $0.read().text)
    }
    func field(_ name: String) -> String {
      fields.first { $0.name == name }?.value ?? ""
    }
    guard visitor.hasSent(field("form")) else { return Self.foreign(visitor) }
    let call = try PageCall(request, of: visitor, in: context)
    do {
      return try add(call, PublicationForm(fields), field("version"), field("percent"))
    } catch let error
      where error is ServiceError || error is DistributionError || error is ActionError
    {
      let hasFile = request.parts.contains { $0.name == "file" && $0.count > 0 }
      do {
        return try call.refusing(
          error, from: Self.path(call.parameter("app")), QueryItems(fields),
          hint: hasFile ? "The file was not kept: choose it again." : nil, Self.form)
      } catch let problem where PageSite.isRefusal(problem) {
        return PageSite.refusal(
          of: error, visitor, back: FormPage(of: request.head, QueryItems()))
      }
    }
  }

  private func add(
    _ call: PageCall, _ form: PublicationForm, _ version: String, _ percent: String
  ) throws -> Response {
    let app = call.parameter("app")
    // Only an app that exists has the form.
    let groups = try call.service.distributionGroups(of: app)
    guard let file = call.request.parts.first(where: { $0.name == "file" && $0.count > 0 }) else {
      throw ServiceError("choose a file first", .wrongUsage)
    }
    let name = UploadedFileName.last(in: file.fileName ?? "")
    let release: Release? = version.allSatisfy(\.isWhitespace) ? nil : Release(version)
    if let release, release.isEmpty {
      throw ServiceError("'\(version)' is not a release such as 1.5.0 (600)", .wrongUsage)
    }
    let share = try Self.share(percent)
    if let unknown = form.groups.first(where: { name in !groups.contains { $0.name == name } }) {
      throw ServiceError("\(app) has no distribution group \(unknown)", .notFound)
    }
    guard form.notes.count <= CrashStore.Distribution.notesLimit else {
      throw DistributionError.tooLong(
        "the text of the release notes", limit: CrashStore.Distribution.notesLimit)
    }
    let author = call.visitor.account.name
    let folder = try UploadFolder(in: context.scratch)
    let path = try folder.keep(file, named: name)
    var artefact = try call.service.addArtefact(
      path, named: name, release: release, to: app, by: author)
    try call.note("add release file", "\(app) #\(artefact.number)")
    if !form.notes.isEmpty {
      artefact = try call.service.editArtefact(
        artefact.number, of: app, .init(notes: form.notes), by: author)
    }
    // Before it is published: all clients would be offered it in between.
    if let share {
      _ = try call.service.rollOut(artefact.release, app: app, .share(share), by: author)
      try call.note("roll out", "\(app) \(artefact.release.name)")
    }
    if !form.groups.isEmpty {
      artefact = try call.service.publishArtefact(
        artefact.number, of: app,
        to: form.audience, by: author)
      try call.note("publish release", "\(app) #\(artefact.number)")
    }
    try context.updates.refresh()
    return try Self.page(call, artefact, form.groups)
  }

  private static func share(_ text: String) throws -> Int? {
    guard !text.allSatisfy(\.isWhitespace) else { return nil }
    guard let percent = Int(text), (0...100).contains(percent) else {
      throw ServiceError("enter a number from 0 to 100", .wrongUsage)
    }
    return percent == 100 ? nil : percent
  }

  private static func page(
    _ call: PageCall, _ artefact: Artefact, _ groups: Set<String>
  ) throws -> Response {
    let app = artefact.app
    let missing = try call.service.binariesWithoutDebugFile(
      inArtefact: artefact.number, of: app)
    let symbols: HTML =
      missing.isEmpty
      ? .none
      : """
      <p>\(missing.count == 1 ? "A binary" : "\(missing.count) binaries") in it \(missing.count == 1 ? "has" : "have") \
      no debug file here, so that crashes would show addresses.</p>
      <p><a class="button" href="/symbols">Upload debug files</a></p>
      """
    let audience =
      groups.isEmpty
      ? "It is not published yet."
      : "It is published to \(groups.sorted().joined(separator: ", "))."
    return call.page(
      "Release added", in: .releases,
      """
      <h1>\(app) \(artefact.release.name) added</h1>
      <p role="status">File #\(artefact.number), \(DebugFileList.size(artefact.size)). \(audience)</p>
      \(symbols)
      <p><a class="button primary" href="\(ReleasesView.path(app, artefact.release))">\(artefact.release.name)</a>
      <a class="button" href="\(CheckView.path(app))">What clients are offered</a></p>
      """)
  }
}
