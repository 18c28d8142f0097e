internal import Bytes
internal import CrashService
package import CrashStore
internal import Identifiers

/// Images that lack debug files, with instructions to get each.
package struct MissingImageList {
  package let images: [MissingImage]

  package func lines(width: Int, styles: Styles) -> [String] {
    let counts = images.map { String($0.reports) }
    let column = max(5, (counts.map(\.count).max() ?? 0) + 2)
    let margin = String(repeating: " ", count: column + 2)
    var lines: [String] = []
    for (image, count) in zip(images, counts) {
      if !lines.isEmpty { lines.append("") }
      let name = image.name.isEmpty ? "(no name)" : image.name.printable
      let architecture = image.architecture.map { "  \($0.description.printable)" } ?? ""
      let head = name.truncated(to: max(12, width - column - 48))
      lines.append(
        count.padded(to: column, right: true) + "  " + styles.strong(head) + architecture + "  "
          + (image.debugID?.description ?? "no build id"))
      var facts = [GroupText.count(image.groups, "group", "groups")]
      if image.provisionalGroups > 0 {
        facts.append(
          image.provisionalGroups == image.groups
            ? (image.groups == 1 ? "which becomes real" : "which become real")
            : "\(image.provisionalGroups) of which become final")
      }
      if image.hasDebugFile {
        facts.append(
          image.debugID == nil
            ? "several builds have this name, or none matches"
            : "a debug file with less information is stored")
      }
      lines += wrapped(facts.joined(separator: ", "), margin, width).map(styles.dim)
      if let builds = Self.builds(of: image) {
        lines += wrapped(builds, margin, width).map(styles.dim)
      }
      let advice = SymbolAdvice(for: image)
      lines += advice.text.flatMap { wrapped($0.printable, margin, width) }
      if let path = advice.path { lines.append(margin + path.printable) }
      lines += advice.commands.map { margin + "  " + $0.printable }
    }
    return lines
  }

  private func wrapped(_ text: String, _ margin: String, _ width: Int) -> [String] {
    text.lines(of: max(20, width - margin.count)).map { margin + $0 }
  }

  /// `in Tern 1.0.0 (100), 1.1.0 (117)`
  private static func builds(of image: MissingImage) -> String? {
    var apps: [(name: String, releases: [String])] = []
    for build in image.builds {
      if apps.last?.name != build.app { apps.append((build.app, [])) }
      apps[apps.count - 1].releases.append(build.release.name)
    }
    guard !apps.isEmpty else { return nil }
    let texts = apps.prefix(3).map { app in
      let shown = app.releases.suffix(3)
      let more = app.releases.count - shown.count
      return "\(app.name) " + shown.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    }
    let more = apps.count - texts.count
    return ("in " + texts.joined(separator: "; ") + (more > 0 ? "; \(more) more apps" : ""))
      .printable
  }

  package init(images: [MissingImage]) {
    self.images = images
  }
}
