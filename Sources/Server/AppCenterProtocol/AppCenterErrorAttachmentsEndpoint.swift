internal import Bytes
internal import CrashModel
internal import CrashService
internal import CrashStore
package import HTTP
internal import Identifiers
internal import JSON
internal import ServerCore

/// `…/errors/:report/attachments` and `…/crashes/:report/attachments`: files of a report in App Center's REST
/// API; the older family uses names with underscores.
package struct AppCenterErrorAttachmentsEndpoint {
  package func list(_ call: AppCenterCall) throws -> Response {
    let stored = try call.report()
    try call.check(.submission)
    let app = try call.appID()
    let isOld = call.family == .crashes
    return .list(stored.attachments) { writer, attachment in
      writer.beginObject()
      writer.member(isOld ? "app_id" : "appId", app)
      writer.member(isOld ? "attachment_id" : "attachmentId", Self.id(of: attachment))
      writer.member(isOld ? "crash_id" : "crashId", stored.summary.id)
      writer.member(
        isOld ? "blob_location" : "blobLocation", Self.address(of: attachment, of: stored, call))
      writer.member(isOld ? "content_type" : "contentType", attachment.contentType)
      writer.member(isOld ? "file_name" : "fileName", attachment.name)
      writer.member(
        isOld ? "created_time" : "createdTime", stored.summary.received.description)
      writer.member("size", attachment.size)
      writer.endObject()
    }
  }

  package func text(_ call: AppCenterCall) throws -> Response {
    let (stored, attachment) = try found(call)
    guard attachment.isText else {
      throw HTTPError.refused(406, "\(attachment.name) is \(attachment.contentType), not text")
    }
    let bytes = try call.store.attachments.get(attachment.name, of: stored.summary.id).bytes
    // The older family returned the text itself.
    guard call.family != .crashes else { return .text(bytes.text) }
    return .document { writer in
      writer.beginObject()
      writer.member("content", bytes.text)
      writer.endObject()
    }
  }

  package func location(_ call: AppCenterCall) throws -> Response {
    let (stored, attachment) = try found(call)
    return .document { writer in
      writer.beginObject()
      writer.member("uri", Self.address(of: attachment, of: stored, call))
      writer.endObject()
    }
  }

  private func found(_ call: AppCenterCall) throws -> (ReportRecord, Attachment) {
    let stored = try call.report()
    try call.check(.submission)
    let id = call.request.parameters["attachment"] ?? ""
    guard let attachment = stored.attachments.first(where: { Self.id(of: $0) == id }) else {
      throw StoreError.notFound(id)
    }
    return (stored, attachment)
  }

  /// Returns the id of an attachment: its name, which is unique within a report.
  private static func id(of attachment: Attachment) -> String {
    AppCenterCall.uuid(attachment.name)
  }

  private static func address(
    of attachment: Attachment, of stored: ReportRecord, _ call: AppCenterCall
  ) -> String {
    call.address(["api", "v1", "reports", stored.summary.id, "attachments", attachment.name])
  }
}
