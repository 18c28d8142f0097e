import APIDocuments
import CommandSupport
import CrashStore
import Documents
import Rendering
import Terminal

extension ReleaseList {
  static func print(_ releases: [ReleaseRecord], _ output: ListOptions) throws {
    if try output.printedJSON(releases, { $0.write($1) }) { return }
    let console = output.console
    let list = ReleaseList(releases: releases)
    try console.write(lines: list.lines(width: console.width, styles: console.styles))
  }
}
