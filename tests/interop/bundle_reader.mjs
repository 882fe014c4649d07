// A consumer that shares nothing with Groundwire: the TypeScript SDK, node's own cryptography, and
// what docs/evidence.md says of bundles. It asks, fetches the evidence of the answer, and checks it.
//
//   bundle_reader.mjs ASK (JSON: {tool, arguments}) stdio COMMAND...
//   bundle_reader.mjs ASK http URL [TOKEN]
import { createHash, createPublicKey, verify } from "node:crypto";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [ask, kind, ...address] = process.argv.slice(2);
const asked = JSON.parse(ask);
const hash = (name, ...parts) => parts.reduce((h, part) => h.update(part), createHash(name));
const escaped = (text) =>
  text.replace(/[\u007f-\uffff]/g, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));

// What is wrong with a bundle, or null; and the records that it holds.
function check(bytes) {
  const records = [];
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (!text.endsWith("\n")) return { wrong: "cut", records };
    const lines = text.slice(0, -1).split("\n");
    const head = JSON.parse(lines[0]);
    const { signature, ...more } = JSON.parse(lines.at(-1));
    if (head.groundwire_evidence !== 1) return { wrong: "format", records };
    if (Object.keys(more).length) return { wrong: "signature line", records };
    const end = bytes.lastIndexOf(10, bytes.length - 2) + 1;
    const exact = Buffer.from(`{"signature":"${signature}"}\n`);
    if (!exact.equals(bytes.subarray(end))) return { wrong: "signature line", records };
    const x = Buffer.from(head.key, "base64");
    const key = createPublicKey({
      key: { kty: "OKP", crv: "Ed25519", x: x.toString("base64url") },
      format: "jwk",
    });
    const signed = hash("sha512", bytes.subarray(0, end)).digest();
    const sealed = Buffer.from(signature, "base64");
    if (sealed.toString("base64") !== signature) return { wrong: "signature", records };
    if (!verify(null, signed, key, sealed)) return { wrong: "signature", records };
    if (lines.length - 2 !== head.records) return { wrong: "count", records };
    let before = null;
    for (const line of lines.slice(1, -1)) {
      const one = JSON.parse(line);
      const header = JSON.stringify([
        1, one.sequence, one.previous, one.evidence_id, one.owner, one.created, one.payload,
      ]);
      const found = hash("sha256", escaped(header), "\n", one.content).digest("hex");
      if (found !== one.hash) return { wrong: `hash of ${one.evidence_id}`, records };
      if (before?.sequence === one.sequence - 1 && before.hash !== one.previous)
        return { wrong: `link of ${one.evidence_id}`, records };
      if (one.response !== undefined) {
        const response = Buffer.from(one.response, "base64");
        if (hash("sha256", response).digest("hex") !== one.payload)
          return { wrong: `response of ${one.evidence_id}`, records };
      }
      records.push(one);
      before = one;
    }
    return { wrong: null, records, fingerprint: hash("sha256", x).digest("hex") };
  } catch (error) {
    return { wrong: error.message, records };
  }
}

// How many of the changed copies of a bundle are found: every byte for small ones, else each n-th.
function tampered(bytes) {
  const step = Math.max(1, Math.floor(bytes.length / 2000));
  let made = 0;
  let found = 0;
  for (let at = 0; at < bytes.length; at += step) {
    const copy = Buffer.from(bytes);
    copy[at] ^= 1;
    made += 1;
    found += check(copy).wrong === null ? 0 : 1;
  }
  const lines = bytes.toString("latin1").split(/(?<=\n)/);
  for (let at = 0; at < lines.length; at += 1) {
    made += 1;
    const copy = Buffer.from(lines.filter((_, place) => place !== at).join(""), "latin1");
    found += check(copy).wrong === null ? 0 : 1;
  }
  return { made, found };
}

const headers = address[1] ? { authorization: `Bearer ${address[1]}` } : {};
const transport =
  kind === "stdio"
    ? new StdioClientTransport({ command: address[0], args: address.slice(1), env: process.env })
    : new StreamableHTTPClientTransport(new URL(address[0]), { requestInit: { headers } });
const client = new Client({ name: "bundle-reader", version: "1" });
await client.connect(transport);
const answers = [];
for (const one of asked) {
  const answer = await client.callTool({ name: one.tool, arguments: one.arguments });
  answers.push(answer.structuredContent);
}
const ids = answers.map((one) => one.evidence_id);
const read = await client.readResource({ uri: `groundwire://evidence/${ids.join(",")}` });
const bytes = Buffer.from(read.contents[0].blob, "base64");
const { wrong, records, fingerprint } = check(bytes);
const summary = await client.callTool({ name: "get_evidence", arguments: { evidence_id: ids[0] } });
const url = summary.structuredContent.bundle_url;
let linked = null;
if (url) {
  // As a browser does: without the token.
  const response = await fetch(url);
  linked = { status: response.status, ...check(Buffer.from(await response.arrayBuffer())) };
}
const values = records.map((one) => JSON.parse(one.content).facts.values.map((value) => value[1]));
const refused = await client
  .readResource({ uri: "groundwire://evidence/ev_0000000000000" })
  .then(() => null, (error) => error.message);
await client.close();
console.log(
  JSON.stringify({
    wrong, fingerprint, linked, refused, values, answers,
    mimeType: read.contents[0].mimeType,
    ids: records.map((one) => one.evidence_id),
    seals: records.map((one) => one.hash.slice(0, 12)),
    tampered: tampered(bytes),
  }),
);
