internal import Bytes
internal import CrashService
package import CrashStore
internal import Identifiers
internal import Updates

/// Roll-outs of releases, with the last check of each.
package struct RolloutList {
  package let builds: [ReleaseRollout]

  package init(builds: [ReleaseRollout]) { self.builds = builds }

  package func lines(width: Int, styles: Styles, indent: Int = 0) -> [String] {
    let margin = String(repeating: " ", count: indent)
    return builds.flatMap { build -> [String] in
      let share =
        build.rollout.map { "offered to \($0.percent) %\($0.pause == nil ? "" : ", paused")" }
        ?? "offered to all"
      var lines = [margin + styles.strong(build.release.name.printable) + "  " + share]
      var notes: [String] = []
      if let pause = build.rollout?.pause { notes.append("paused: \(pause)") }
      if let look = build.look, build.rollout?.pause != look.text {
        notes.append("\(GroupText.day(Timestamp(microseconds: look.time))): \(look.text)")
      }
      if let reason = build.untested { notes.append("not tested now: \(reason)") }
      for note in notes {
        lines += note.printable.lines(of: max(20, width - indent - 2)).map { margin + "  " + $0 }
      }
      return lines
    }
  }
}
