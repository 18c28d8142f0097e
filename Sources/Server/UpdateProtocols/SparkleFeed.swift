internal import CommonMark
internal import Identifiers
package import Updates

/// The releases of a macOS app in Sparkle's format: an RSS feed with Sparkle's extensions.
///
/// Sparkle itself chooses the highest `sparkle:version` that runs on the system.
///
/// Source: sparkle-project.org, "Publishing an update"; Sparkle's SUAppcastItem.
package struct SparkleFeed {
  /// The maximum number of items: Sparkle uses only the newest that runs on the system.
  package static let mostItems = 20
  private static let kinds: Set<ArtefactKind> = [.appZip, .dmg, .pkg, .zip]
  private static let namespace = "http://www.andymatuschak.org/xml-namespaces/sparkle"

  private let app: String
  private let link: String
  private let offers: [AppUpdates.Offer]

  /// Creates the feed of an app's public releases, the last in the order of releases first. The request does not identify the
  /// installation, so releases in a partial roll-out are left out.
  ///
  /// - Parameter link: The address of the feed itself.
  package init(_ updates: AppUpdates, link: String) {
    app = updates.app
    self.link = link
    offers = Array(
      updates.artefactsByRelease.lazy.compactMap { artefact -> AppUpdates.Offer? in
        guard Self.kinds.contains(artefact.package.kind),
          let destination = updates.destination(of: artefact, for: .anyone),
          updates.isRolledOut(artefact.release, to: nil)
        else { return nil }
        return AppUpdates.Offer(artefact: artefact, destination: destination)
      }.prefix(Self.mostItems))
  }

  /// - Parameter address: Returns the address of an artefact's file.
  package func text(address: (Artefact) -> String) -> String {
    """
    <?xml version="1.0" encoding="utf-8"?>
    <rss version="2.0" xmlns:sparkle="\(Self.namespace)">
      <channel>
        <title>\(Self.escaped(app))</title>
        <link>\(Self.escaped(link))</link>
        <description>Releases of \(Self.escaped(app))</description>
    \(offers.map { Self.item($0, at: address($0.artefact)) }.joined())  </channel>
    </rss>

    """
  }

  private static func item(_ offer: AppUpdates.Offer, at address: String) -> String {
    let artefact = offer.artefact
    let release = artefact.release
    var lines = [
      "<title>\(escaped(artefact.package.name ?? artefact.app)) \(escaped(release.version))</title>"
    ]
    lines.append("<pubDate>\(date(artefact.uploaded))</pubDate>")
    let build = release.build.isEmpty ? release.version : release.build
    lines.append("<sparkle:version>\(escaped(build))</sparkle:version>")
    lines.append(
      "<sparkle:shortVersionString>\(escaped(release.version))</sparkle:shortVersionString>")
    if let oldest = artefact.package.minimumOS {
      lines.append(
        "<sparkle:minimumSystemVersion>\(escaped(oldest))</sparkle:minimumSystemVersion>")
    }
    if offer.destination.isMandatory { lines.append("<sparkle:criticalUpdate/>") }
    if !artefact.notes.isEmpty {
      // Sparkle shows it as HTML. A > stands only at the ends of tags, so that nothing ends the section.
      let notes = Self.allowed(CommonMark.html(of: artefact.notes))
      lines.append("<description><![CDATA[\(notes)]]></description>")
    }
    var attributes = [("url", address), ("length", String(artefact.size))]
    attributes.append(("type", "application/octet-stream"))
    if artefact.package.kind == .pkg { attributes.append(("sparkle:installationType", "package")) }
    if let signature = artefact.edSignature {
      attributes.append(("sparkle:edSignature", signature))
    }
    if let signature = artefact.dsaSignature {
      attributes.append(("sparkle:dsaSignature", signature))
    }
    let text = attributes.map { "\($0.0)=\"\(escaped($0.1))\"" }.joined(separator: " ")
    lines.append("<enclosure \(text)/>")
    return "    <item>\n" + lines.map { "      \($0)\n" }.joined() + "    </item>\n"
  }

  /// Escapes text for XML; characters that XML doesn't allow are replaced.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in allowed(text).unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// Replaces characters that XML doesn't allow.
  ///
  /// Source: XML 1.0, section 2.2.
  private static func allowed(_ text: String) -> String {
    var allowed = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\t", "\n": allowed.unicodeScalars.append(scalar)
      case "\r": continue
      case "\0"..<" ", "\u{7f}", "\u{fffe}", "\u{ffff}": allowed += "\u{fffd}"
      default: allowed.unicodeScalars.append(scalar)
      }
    }
    return allowed
  }

  /// `Mon, 01 Mar 2027 10:00:00 +0000` (RFC 822 with four digits of the year).
  static func date(_ time: Timestamp) -> String {
    let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    let date = time.date
    let second = Int(((time.seconds % 86_400) + 86_400) % 86_400)
    // 1970 began on a Thursday.
    let day = Int((time.seconds - Int64(second)) / 86_400)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
    let clock = "\(two(second / 3600)):\(two(second / 60 % 60)):\(two(second % 60))"
    return
      "\(days[((day % 7) + 7) % 7]), \(two(date.day)) \(months[date.month - 1]) \(date.year) \(clock) +0000"
  }
}
