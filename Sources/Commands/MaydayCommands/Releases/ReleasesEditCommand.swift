import Arguments
import CommandSupport
import CrashService
import CrashStore
import Rendering
import Updates

/// `mayday releases edit`
struct ReleasesEditCommand: Command {
  static let name = "edit"
  static let summary = "Change the notes and the audience of a release's newest file."
  static let discussion = """
    A release is named by its version, with the build if there are several: '1.4.2 (512)'. #3 names one \
    file by its number.
    """
  static let examples = [
    Example("mayday releases edit 1.4.2 --app Tern --groups Everyone", "Publish it to all users."),
    Example("mayday releases edit '#3' --app Tern --withdraw Beta", "Withdraw it from a group."),
    Example("mayday releases edit 1.4.2 --app Tern --notes-file news.md", "What is new."),
  ]

  @Argument("VERSION", help: "The release, or the number of a file.") var version: String
  @OptionGroup var app = AppOption()
  @OptionGroup var notes = NotesOptions()
  @OptionGroup var audience = AudienceOptions()
  @Option(
    "--withdraw", help: "Stop offering it to these groups or testers, separated by commas.",
    value: "NAME,...")
  var withdrawn: [String] = []
  @Option(
    "--ed-signature", help: "The file's EdDSA signature for Sparkle, in base64.", value: "TEXT")
  var edSignature: String?
  @Option("--dsa-signature", help: "The file's DSA signature for Sparkle 1.", value: "TEXT")
  var dsaSignature: String?
  @OptionGroup var author = AuthorOptions()
  @OptionGroup var home = ServiceOptions()
  @OptionGroup var output = ListOptions()

  func validate() throws(UsageError) {
    if notes.text == nil, notes.file == nil, audience.audience == nil, withdrawn.isEmpty,
      edSignature == nil, dsaSignature == nil
    {
      throw UsageError("nothing to change: give --notes, --groups, --tester or --withdraw")
    }
  }

  func run() throws {
    let service = try home.service()
    let app = try app.name(in: service)
    var artefact = try ArtefactName(text: version).newest(of: app, in: service)
    let number = artefact.number
    let edit = CrashStore.Distribution.Edit(
      notes: try notes.notes(), edSignature: edSignature, dsaSignature: dsaSignature)
    if edit != CrashStore.Distribution.Edit() {
      artefact = try service.editArtefact(number, of: app, edit, by: author.name)
    }
    if let audience = audience.audience {
      artefact = try service.publishArtefact(number, of: app, to: audience, by: author.name)
    }
    let names = AudienceOptions.names(in: withdrawn)
    if !names.isEmpty {
      artefact = try service.withdrawArtefact(
        number, of: app,
        from: ArtefactAudience(
          groups: names.filter { !$0.contains("@") }, testers: names.filter { $0.contains("@") }),
        by: author.name)
    }
    try ArtefactList.print([artefact], of: app, in: service, output)
    if audience.audience != nil {
      try InstallPageLine.say(
        of: [artefact], app: app, in: service, at: home.server, output.console)
      try PublicationWarnings.say(of: [artefact], app: app, in: service, home, output.console)
    }
  }
}
