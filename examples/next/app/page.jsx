"use client";
import { useEffect } from "react";

export default function Page() {
  useEffect(() => void import("visavis"), []);
  const size = { display: "block", width: 480, height: 480 };
  return <visavis-avatar context-id="ctx_demo" relay="/talk" variant="inline" style={size} />;
}
