import Arguments
import Bytes
import CommandSupport
import CrashService
import CrashStore
import Identifiers
import Rendering
import Terminal
import Updates

/// `mayday releases add`
struct ReleasesAddCommand: Command {
  static let name = "add"
  static let summary = "Add releases, or files of releases for testers and users."
  static let discussion = """
    With --app, the arguments are files: .ipa, .apk, .aab, .app.zip, .pkg, .dmg, .msi, .appx, .msix \
    and their bundles, or .zip. The release is read from the file; --release gives it if the \
    file doesn't. A file is not offered until it is published: --groups does so at once.

    Without --app, the arguments are an app and releases that no report mentions yet.
    """
  static let examples = [
    Example(
      "mayday releases add tern.ipa --app Tern --groups Beta --notes Fixes",
      "Release a build to testers."),
    Example("mayday releases add Tern '1.5.0 (600)'", "A build that ships today."),
  ]

  @Argument("FILE|APP...", help: "Files; or an app, and releases: 1.5.0, '1.5.0 (600)'.")
  var words: [String]
  @Option("-a", "--app", help: "The app that the files belong to.", value: "NAME") var app: String?
  @Option("--release", help: "The release, if a file doesn't contain it.", value: "VERSION")
  var release: String?
  @OptionGroup var notes = NotesOptions()
  @OptionGroup var audience = AudienceOptions()
  @Option(
    "--rollout", help: "Offer it to this share of the users first: 10%.", value: "PERCENT")
  var share: String?
  @OptionGroup var author = AuthorOptions()
  @OptionGroup var home = ServiceOptions()
  @OptionGroup var output = ListOptions()

  func validate() throws(UsageError) {
    if app == nil {
      if words.count < 2 { throw UsageError("--app is missing: the app that the file belongs to") }
      if release != nil || share != nil || notes.text != nil || notes.file != nil
        || audience.audience != nil
      {
        throw UsageError("--app is missing: these options are for files")
      }
    }
    if let release, Release(release).isEmpty { throw UsageError("--release must be a version") }
    if let share { _ = try ReleasesRolloutCommand.percent(in: share) }
  }

  func run() throws {
    let service = try home.service(makingHome: app != nil)
    guard let app else {
      let releases = words.dropFirst().map { Release($0) }
      return try ReleaseList.print(service.addReleases(releases, to: words[0]), output)
    }
    let notes = try notes.notes()
    let percent = try share.map(ReleasesRolloutCommand.percent(in:))
    // Nothing is added to an app that does not exist if it should be published there.
    if audience.audience != nil { _ = try service.distributionGroups(of: app) }
    var added: [Artefact] = []
    for path in words {
      var artefact = try service.addArtefact(
        path, named: path.split(separator: "/").last.map(String.init) ?? path,
        release: release.map { Release($0) }, to: app, by: author.name)
      // The audience and the notes are set before the file is offered.
      if let percent {
        _ = try service.rollOut(artefact.release, app: app, .share(percent), by: author.name)
      }
      if let notes {
        artefact = try service.editArtefact(
          artefact.number, of: app, .init(notes: notes), by: author.name)
      }
      if let audience = audience.audience {
        artefact = try service.publishArtefact(
          artefact.number, of: app, to: audience, by: author.name)
      }
      added.append(artefact)
    }
    try ArtefactList.print(added, of: app, in: service, output)
    try InstallPageLine.say(of: added, app: app, in: service, at: home.server, output.console)
    try PublicationWarnings.say(of: added, app: app, in: service, home, output.console)
    for artefact in added {
      let missing = try service.binariesWithoutDebugFile(inArtefact: artefact.number, of: app)
      guard !missing.isEmpty else { continue }
      let lines = missing.map {
        "  \($0.debugID?.description ?? "")  \($0.architecture)  \($0.path)".printable
      }
      output.console.say(
        "#\(artefact.number) lacks debug files, which mayday symbols add takes:\n"
          + lines.joined(separator: "\n"))
    }
  }
}
