internal import Bytes
internal import CrashService
package import TriageModel

/// Groups and their states, one per line: the output of commands that decide about groups.
package struct GroupStatusList {
  package let groups: [GroupSummary]

  package func lines(width: Int, styles: Styles) -> [String] {
    let column = groups.map { $0.id.printable.columns }.max() ?? 0
    return groups.flatMap { group -> [String] in
      var words = group.status.words.printable
      if let assignee = group.assignee { words += ", assigned to \(assignee.printable)" }
      if let ticket = group.ticket { words += ", ticket \(ticket.url.printable) (\(ticket.state))" }
      if !group.merged.isEmpty {
        words += ", with \(group.merged.joined(separator: ", ").printable)"
      }
      let head = group.id.printable.padded(to: column) + "  "
      return words.lines(of: max(20, width - head.columns)).enumerated().map { number, line in
        (number == 0 ? styles.strong(head) : String(repeating: " ", count: head.columns))
          + group.state.styled(line, styles)
      }
    }
  }

  package init(groups: [GroupSummary]) {
    self.groups = groups
  }
}
