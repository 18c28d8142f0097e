internal import CrashService
internal import CrashStore
internal import HTTP
internal import Identifiers
internal import Rendering
internal import ServerCore
internal import Updates

/// The part of a form with the recipients of a release file, its notes, and the share of its roll-out.
struct PublicationForm {
  /// The names of groups.
  var groups: Set<String>
  var isMandatory: Bool
  /// Whether testers get a mail, unless they had one about the file.
  var isNotified = false
  var notes: String

  /// The recipients and notes of a file.
  ///
  /// - Parameter names: The names of groups by their ids.
  init(of artefact: Artefact, names: [String: String]) {
    let destinations = artefact.destinations.filter { $0.kind == .group }
    groups = Set(destinations.compactMap { names[$0.id] })
    isMandatory = destinations.contains(where: \.isMandatory)
    notes = artefact.notes
  }

  /// No recipients, and no notes.
  init() {
    groups = []
    isMandatory = false
    notes = ""
  }

  /// The fields of a sent form: `group`, as often as there are groups, `mandatory`, `notify` and `notes`.
  init(_ fields: [(name: String, value: String)]) {
    groups = Set(fields.filter { $0.name == "group" }.map(\.value))
    isMandatory = fields.contains { $0.name == "mandatory" }
    isNotified = fields.contains { $0.name == "notify" }
    // Browsers send the ends of lines as CRLF.
    notes = (fields.first { $0.name == "notes" }?.value ?? "")
      .split(separator: "\r\n", omittingEmptySubsequences: false).joined(separator: "\n")
  }

  var audience: ArtefactAudience {
    ArtefactAudience(groups: groups.sorted(), isMandatory: isMandatory, isNotified: isNotified)
  }

  /// - Parameter isMailing: Whether mails to testers are set up.
  func fields(_ all: [DistributionGroup], isMailing: Bool) -> HTML {
    let boxes = all.map { group -> HTML in
      let mark: HTML = groups.contains(group.name) ? " checked" : .none
      return """
        <label><input type="checkbox" name="group" value="\(group.name)"\(mark)> \(group.name) \
        (\(group.isPublic ? "public" : "private"))</label>

        """
    }
    let mandatory: HTML = isMandatory ? " checked" : .none
    let notified: HTML = isNotified ? " checked" : .none
    let notify: HTML =
      isMailing
      ? """
      <p><label><input type="checkbox" name="notify" value="yes"\(notified)> Mail the testers of private groups</label></p>

      """ : .none
    return """
      <fieldset><legend>Publish to</legend>\(boxes)</fieldset>
      <p><label><input type="checkbox" name="mandatory" value="yes"\(mandatory)> Clients have to install it</label></p>
      \(notify)<p><label>Release notes, in Markdown<textarea name="notes" rows="6" maxlength="\(CrashStore.Distribution.notesLimit)">
      \(HTML(edited: notes))</textarea></label></p>
      """
  }

  /// Shows the present offer to each audience, and the later one.
  static func preview(_ now: AppUpdates, _ later: AppUpdates, on platform: ArtefactPlatform) -> HTML
  {
    guard CheckQuestion.platforms.contains(platform) else {
      return
        "<p class=\"quiet\">Clients on \(platform.rawValue) find it in the feed of the app.</p>"
    }
    var table = CardTable([("Who", .text), ("Offered now", .text), ("Offered after that", .text)])
    for (before, after) in zip(now.offers(on: platform), later.offers(on: platform)) {
      table.add([
        after.group.map { "Testers of \($0)" } ?? "Everyone with the app",
        "\(Self.text(before))", before == after ? "the same" : "<b>\(Self.text(after))</b>",
      ])
    }
    return """
      <section role="status" aria-label="Preview"><h2>What clients will be told</h2>\(table.markup)</section>
      """
  }

  private static func text(_ offer: AudienceOffer) -> String {
    guard let release = offer.release else { return "nothing" }
    var text = release.name
    if offer.isMandatory { text += ", mandatory" }
    if let share = offer.share { text += ", to \(share) %" }
    return text
  }
}
