internal import CrashModel
package import CrashService
internal import Identifiers
package import JSON

extension JSONWriter {
  package mutating func write(_ change: ReportChange) {
    let diff = change.diff
    beginObject()
    member("report", change.report)
    member("change", change.number)
    member("changes", change.count)
    member("time", change.time.description)
    member("arrived", change.arrived.map(\.description))
    beforeAndAfter("signature", diff.old.signature?.text, diff.new.signature?.text)
    beforeAndAfter("key", diff.old.signature?.key, diff.new.signature?.key)
    beforeAndAfter("group", change.groups.old, change.groups.new)
    beforeAndAfter("engine", diff.old.engine?.version, diff.new.engine?.version)
    key("images")
    beginArray()
    for image in diff.images {
      beginObject()
      member("name", image.image.name)
      member("debug_id", image.image.debugID?.description)
      member("before", image.old?.verdict.rawValue)
      member("after", image.new?.verdict.rawValue)
      endObject()
    }
    endArray()
    key("frames")
    beginArray()
    for change in diff.frames {
      beginObject()
      member("thread", change.thread)
      member("address", change.new.last?.address?.description)
      write("before", change.old, from: change.oldIndex)
      write("after", change.new, from: change.newIndex)
      endObject()
    }
    endArray()
    endObject()
  }

  private mutating func beforeAndAfter(_ name: String, _ old: String?, _ new: String?) {
    key(name)
    beginObject()
    member("before", old)
    member("after", new)
    endObject()
  }

  private mutating func write(_ name: String, _ frames: [Frame], from start: Int) {
    key(name)
    beginArray()
    for (index, frame) in frames.enumerated() {
      beginObject()
      member("index", start + index)
      member("function", frame.function)
      member("file", frame.file)
      member("line", frame.line)
      member("inlined", frame.inlined)
      endObject()
    }
    endArray()
  }
}
