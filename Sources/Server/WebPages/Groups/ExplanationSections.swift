internal import CrashModel
internal import CrashService
internal import CrashStore
internal import Grouping
internal import Rendering
internal import ServerCore

/// The sections of `mayday explain` as a page: the decisions, the stack from the top, the rules, the text piece
/// by piece, the keys, and the nearest groups with what differs.
struct ExplanationSections {
  let explanation: Explanation
  /// Whether every frame is shown.
  let isFull: Bool

  /// The maximum number of frames shown of a part; stacks may have thousands.
  private static let mostFrames = 400
  /// The maximum number of names in a comparison with a near group.
  private static let mostNames = 12

  private var report: String { "/reports/" + explanation.id.inAddress }

  var content: HTML {
    let outline = ExplanationOutline(explanation, isFull: isFull)
    let rules = explanation.rules(of: explanation.decisions + outline.shown)
    return """
      \(head)
      \(stack(outline, Set(rules.map(\.id))))
      \(quoted(rules))
      <section><h2>The text, piece by piece</h2><ol>\(pieces)</ol></section>
      <section><h2>The key and the group</h2><dl>\(keys)</dl></section>
      \(nearest)
      """
  }

  // MARK: Above the stack

  private var head: HTML {
    let app = explanation.report.app
    let version = [app.version, app.build.map { "(\($0))" }].compactMap(\.self)
    let name = ([explanation.app] + version).joined(separator: " ")
    let digest = explanation.report.engine?.rulesDigest.map { ", lists \($0.prefix(8))" } ?? ""
    let category = explanation.signature.category
    let decisions = explanation.decisions.map { step -> HTML in
      "<li>\(ExplanationOutline.words(for: step))</li>"
    }
    let list: HTML = decisions.isEmpty ? .none : "<ul>\(decisions)</ul>"
    return """
      <dl><dt>App</dt><dd>\(name)</dd>
      <dt>Rules</dt><dd>\(explanation.signature.rules)\(digest)</dd>
      <dt>Stack</dt><dd>\(explanation.stack ?? "not recorded")</dd>
      <dt>Category</dt><dd>\(category.rawValue): \(ExplanationOutline.meaning(of: category))\(list)</dd></dl>
      """
  }

  // MARK: The stack

  private func stack(_ outline: ExplanationOutline, _ quoted: Set<String>) -> HTML {
    var parts: [HTML] = []
    var hasFolded = false
    for part in outline.parts {
      var rows: [HTML] = []
      for run in part.runs.prefix(Self.mostFrames) {
        switch run {
        case .frame(let step): rows.append(row(step, quoted))
        case .folded(let steps):
          hasFolded = true
          rows.append(
            """
            <tr><td class="number">…</td><td colspan="4" class="quiet">\
            \(ExplanationOutline.words(forFolded: steps))</td></tr>

            """)
        }
      }
      let more = part.runs.count - rows.count
      if more > 0 {
        rows.append(
          """
          <tr><td class="number">…</td><td colspan="4" class="quiet">\
          and \(GroupText.count(more, "more step", "more steps"))</td></tr>

          """)
      }
      // A heading has no colon.
      parts.append(
        """
        <section><h2>\(part.title.dropLast().description)</h2>
        <div class="scroll" tabindex="0" role="region" aria-label="\(part.title.dropLast().description)"><table>\
        <thead><tr><th class="number">Frame</th><th>Name</th><th>Class</th>\
        <th class="side">Rule</th><th>Title</th></tr></thead><tbody>\(rows)</tbody></table></div></section>
        """)
    }
    let all: HTML =
      hasFolded
      ? "<p class=\"links\"><a href=\"\(report)/explain?full\">Show every frame</a></p>" : .none
    return "\(parts)\(all)"
  }

  private func row(_ step: SignatureStep, _ quoted: Set<String>) -> HTML {
    let mark: HTML = step.used ? " class=\"used\"" : .none
    let raw: HTML =
      step.subject == step.result ? .none : "<div class=\"quiet small\">\(step.subject)</div>"
    let reason: HTML =
      step.leftOut.flatMap(ExplanationText.reason)
      .map { "<div class=\"quiet small\">left out: \($0)</div>" } ?? .none
    let rule: HTML =
      quoted.contains(step.rule)
      ? "<a href=\"#\(Self.anchor(step.rule))\">\(step.rule)</a>" : "\(step.rule)"
    return """
      <tr\(mark)><td class="number">\(step.frame.map(String.init) ?? "")</td>\
      <td class="mono breaks">\(step.result.isEmpty ? "-" : step.result)\(raw)\(reason)</td>\
      <td>\(step.frameClass ?? "")</td><td class="side">\(rule)</td>\
      <td>\(step.used ? "in the title" : "")</td></tr>

      """
  }

  private static func anchor(_ rule: String) -> String { "rule-" + rule.inAddress }

  private func quoted(_ rules: [RuleLine]) -> HTML {
    guard !rules.isEmpty else { return .none }
    let rows = rules.map { rule -> HTML in
      let heading: HTML =
        rule.heading.map { "<div class=\"quiet small\">\($0)</div>" } ?? .none
      return """
        <tr id="\(Self.anchor(rule.id))"><th scope="row">\(rule.id)</th>\
        <td class="mono breaks">\(rule.text)\(heading)</td></tr>

        """
    }
    return """
      <section><h2>The rules that are named</h2>
      <div class="scroll" tabindex="0" role="region" aria-label="The rules that are named"><table>\
      <tbody>\(rows)</tbody></table></div></section>
      """
  }

  // MARK: Below the stack

  private var pieces: [HTML] {
    explanation.pieces.map { piece in
      """
      <li><span class="mono breaks">\(piece.text)</span> \
      <span class="quiet">\(ExplanationOutline.source(of: piece))</span></li>
      """
    }
  }

  private var keys: HTML {
    let signature = explanation.signature
    let also = explanation.alternatives.map { alternative -> HTML in
      let reading = alternative.reading.map { "\($0): " } ?? ""
      return """
        <dt>Also</dt><dd><span class="mono breaks">\(alternative.key)</span> \
        <span class="quiet breaks">\(alternative.text.map { reading + $0 } ?? "")</span></dd>
        """
    }
    let wait: HTML =
      ExplanationOutline.wait(of: signature).map { "<dt>Waits</dt><dd>\($0)</dd>" } ?? .none
    let group: HTML =
      explanation.membership.map { membership in
        let later = ExplanationText.words(for: membership).map { " \($0)" as HTML }
        return """
          <dt>Group</dt><dd><a href="/groups/\(membership.group.inAddress)">\(membership.group)</a>: \
          \(ExplanationText.words(for: membership.found)).\(later)</dd>
          """
      } ?? .none
    return """
      <dt>Key</dt><dd class="mono breaks">\(signature.key)</dd>\(also)\(wait)\(group)
      """
  }

  private var nearest: HTML {
    guard !explanation.nearest.isEmpty else { return .none }
    let groups = explanation.nearest.map { group -> HTML in
      let names = group.comparison.map { comparison -> [HTML] in
        [
          ("both", comparison.matched), ("only here", comparison.onlyHere),
          ("only there", comparison.onlyThere),
        ].filter { !$0.1.isEmpty }.map { label, names -> HTML in
          let rest = names.count - Self.mostNames
          let list = names.prefix(Self.mostNames).joined(separator: ", ")
          return """
            <dt>\(label)</dt><dd class="mono breaks">\(list)\(rest > 0 ? ", and \(rest) more" : "")</dd>
            """
        }
      }
      let shown: HTML = names.map { "<dl>\($0)</dl>" } ?? .none
      return """
        <li><a href="/groups/\(group.id.inAddress)">\(group.id)</a> <span class="mono breaks">\(group.title)</span>
        <div class="quiet">likeness \(group.likenessText), \(group.matchedFrames) of \(group.frames) frames agree; \
        <a href="\(report)/explain?against=\(group.id.inAddress)">compare with it</a></div>\(shown)</li>

        """
    }
    return """
      <section><h2>The nearest groups</h2><ul>\(groups)</ul></section>
      """
  }
}
