internal import Bytes
internal import CrashStore
internal import Identifiers
internal import Rendering
internal import Updates

/// The words of a mail to a tester.
///
/// Sources: RFC 2369 (`List-Unsubscribe`), RFC 8058 (with one click).
struct TesterMailText {
  /// A file that the tester is offered.
  struct Offer {
    let artefact: Artefact
    /// Whether it is offered to everybody, so that no sign-in is needed.
    let isPublic: Bool
  }

  let mail: TesterMail
  /// The server's address, without a trailing slash.
  let url: String
  /// The address at which the tester refuses further mails.
  let refusal: String
  /// The address of the invitation.
  var invitation = ""
  /// The files, the newest first.
  var offers: [Offer] = []

  /// The maximum number of files that are shown.
  static let most = 20
  /// The maximum number of lines of the notes of a file.
  private static let mostLines = 60
  /// The maximum number of characters of a name.
  private static let longestName = 160

  private var app: String { Self.line(mail.app) }

  private static func line(_ text: String) -> String { AlertMessage.line(text, longestName) }

  func message(from sender: String) -> MailMessage {
    MailMessage(
      id: mail.name, sender: sender, recipients: [mail.email], subject: subject, text: text,
      html: html,
      fields: [
        ("List-Unsubscribe", "<\(refusal)>"),
        ("List-Unsubscribe-Post", "List-Unsubscribe=One-Click"),
      ])
  }

  var subject: String {
    switch mail.kind {
    case .invitation: "You are invited to test \(app)"
    case .release:
      offers.count == 1 ? headline(of: offers[0]) : "\(offers.count) new releases of \(app)"
    }
  }

  private func headline(of offer: Offer) -> String {
    "\(app) \(Self.line(offer.artefact.release.name)) is ready to test"
  }

  private var reason: String { "You get this mail because \(mail.email.printable) tests \(app)." }

  /// `1.5.0 (600) for iOS, 12.3 MB`
  private func facts(of artefact: Artefact) -> String {
    let platform = artefact.platform == .other ? "" : " for " + artefact.platform.rawValue
    return Self.line(artefact.release.name) + platform + ", " + DebugFileList.size(artefact.size)
  }

  private func link(of offer: Offer) -> String {
    url + "/install" + (offer.isPublic ? "/apps/" + Self.escaped(mail.app) : "")
  }

  /// A name as a part of an address.
  private static func escaped(_ name: String) -> String {
    name.utf8.map { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        String(Unicode.Scalar(byte))
      default: "%" + [byte].hexadecimalDigits.uppercased()
      }
    }.joined()
  }

  private static func notes(of artefact: Artefact) -> (lines: [String], isCut: Bool) {
    let lines = artefact.notes.split(
      omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    return (lines.prefix(mostLines).map { String($0).printable }, lines.count > mostLines)
  }

  // MARK: Plain text

  private var text: String {
    var text = ""
    switch mail.kind {
    case .invitation:
      text += """
        \(Self.line(mail.author)) invites you to try releases of \(app) before others get them.

        Open this link on the device on which you use the app, in its usual browser:

        \(invitation)

        The link works once, within two weeks. If you do not know what this is about, ignore it.

        """
    case .release:
      text += subject + (offers.count == 1 ? ".\n" : ":\n")
      for offer in offers.prefix(Self.most) {
        text += "\n" + facts(of: offer.artefact) + "\n"
        let notes = Self.notes(of: offer.artefact)
        if !offer.artefact.notes.isEmpty {
          text += "\n" + notes.lines.map { $0.isEmpty ? "\n" : "  \($0)\n" }.joined()
          if notes.isCut { text += "  …\n" }
          text += "\n"
        }
        text += "Install it: \(link(of: offer))\n"
      }
      if offers.count > Self.most { text += "\nand \(offers.count - Self.most) more\n" }
    }
    return text + "\n-- \n\(reason)\nStop these mails: \(refusal)\n"
  }

  // MARK: HTML

  private var html: HTML {
    """
    <!DOCTYPE html>
    <html lang="en"><head><meta charset="utf-8"><title>\(subject)</title></head>
    <body style="font:15px/1.45 sans-serif;color:#1b1f24;background:#fff;margin:16px">
    <h1 style="font-size:18px;margin:0 0 16px">\(subject)</h1>
    \(body)<p style="color:#5f6873;font-size:13px">\(reason)
    <a href="\(refusal)" style="color:#5f6873">Stop these mails</a></p>
    </body></html>

    """
  }

  private var body: HTML {
    switch mail.kind {
    case .invitation:
      return """
        <p>\(Self.line(mail.author)) invites you to try releases of \(app) before others get them.</p>
        <p>Open this link on the device on which you use the app, in its usual browser:</p>
        \(Self.button("Accept the invitation", invitation))
        <p style="color:#5f6873">The link works once, within two weeks. If you do not know what this is about,
        ignore it.</p>

        """
    case .release:
      let more: HTML =
        offers.count > Self.most ? "<p>and \(offers.count - Self.most) more</p>\n" : .none
      return "\(offers.prefix(Self.most).map(section))\(more)"
    }
  }

  private func section(_ offer: Offer) -> HTML {
    let (lines, isCut) = Self.notes(of: offer.artefact)
    let shown = (lines + (isCut ? ["", "…"] : [])).joined(separator: "\n")
    let notes: HTML = offer.artefact.notes.isEmpty ? .none : HTML(markdown: shown)
    return """
      <p style="margin:0"><b>\(facts(of: offer.artefact))</b></p>
      \(notes)\(Self.button("Install", link(of: offer)))

      """
  }

  private static func button(_ text: String, _ url: String) -> HTML {
    """
    <p><a href="\(url)" style="display:inline-block;padding:8px 16px;border-radius:6px;color:#fff;
    background:#0b62c4;text-decoration:none">\(text)</a></p>
    """
  }
}
